import { useMutation } from '@tanstack/react-query';
import { useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.js';
import { FailureNote } from '../../parts/failure-note.js';
import { durationText } from '../../parts/words.js';
import styles from './connections.module.css';

/** Tests whether the provider accepts the connection, and shows its response. */
export function ConnectionTestButton({
  connectionId,
  note,
}: {
  readonly connectionId: string;
  readonly note?: string;
}) {
  const parley = useParley();
  const test = useMutation({ mutationFn: () => parley.connections.test(connectionId) });
  return (
    <div className={styles.test}>
      <div className={styles.testRow}>
        <Button small busy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? 'Testing …' : 'Test the connection'}
        </Button>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </div>
      <div aria-live="polite">
        {test.data && (
          <div className={styles.outcome}>
            <span className={styles.testRow}>
              {test.data.ok ? (
                <Badge tone="ok">The provider accepted the connection</Badge>
              ) : (
                <Badge tone="danger">The provider refused the connection</Badge>
              )}
              <span className={styles.note}>{durationText(test.data.durationMs)}</span>
            </span>
            <p dir="auto">{test.data.detail}</p>
          </div>
        )}
      </div>
      <FailureNote error={test.error} />
    </div>
  );
}

export function TestConnectionDialog({
  connectionId,
  name,
  onClose,
}: {
  readonly connectionId: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title={`Test “${name}”`}
      description="Parley connects with the saved settings and disconnects before anything is said, so the test is free."
      onClose={onClose}
    >
      <DialogBody>
        <ConnectionTestButton connectionId={connectionId} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
