import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

/** A button with a menu of actions. */
export function Menu({
  trigger,
  children,
}: {
  readonly trigger: ReactElement;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} className={styles.positioner}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  onSelect,
  children,
}: {
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.Item className={styles.item} onClick={onSelect}>
      {children}
    </Base.Item>
  );
}

export function MenuNote({ children }: { readonly children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}

export function MenuLine() {
  return <Base.Separator className={styles.line} />;
}
