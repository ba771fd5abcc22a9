import { useEffect, type ReactNode } from 'react';
import styles from './page.module.css';

type PageProps = {
  readonly title: string;
  /** A sentence that says what the page is for. */
  readonly lead?: ReactNode;
  /** The page's one primary action comes last. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

export function Page({ title, lead, actions, wide, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <div className={`${styles.page} ${wide === true ? styles.wide : ''}`}>
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.card}>
      {title !== undefined && (
        <div className={styles.cardHead}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}

/** One sentence and one button. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A placeholder in the shape of the content, so that nothing moves when it loads. */
export function Skeleton({
  width = '100%',
  height = 14,
}: {
  readonly width?: number | string;
  readonly height?: number | string;
}) {
  return (
    <span className={styles.skeleton} style={{ width, height }} data-loading aria-hidden="true" />
  );
}
