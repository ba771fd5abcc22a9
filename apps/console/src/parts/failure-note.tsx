import { failureOf } from '../api/failure.js';
import { Button } from './button.js';
import { CopyButton } from './copy.js';
import styles from './failure-note.module.css';

/** Shown next to what failed; renders nothing without an error. */
export function FailureNote({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  const { title, advice, requestId } = failureOf(error);
  return (
    <div className={styles.note} role="alert">
      <span className={styles.title}>{title}</span>
      <span>{advice}</span>
      <RequestName id={requestId} />
    </div>
  );
}

/** Replaces a list or a page that failed to load. */
export function FailureState({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { title, advice, requestId } = failureOf(error);
  return (
    <div className={styles.whole} role="alert">
      <strong>{title}</strong>
      <p>{advice}</p>
      <RequestName id={requestId} />
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

function RequestName({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <span className={styles.request}>
      Request <code>{id}</code> <CopyButton text={id} label="Copy the request’s id" />
    </span>
  );
}
