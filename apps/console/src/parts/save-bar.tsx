import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from './button.js';
import { Dialog, DialogActions, DialogBody } from './dialog.js';
import { FailureNote } from './failure-note.js';
import styles from './save-bar.module.css';

type SaveBarProps = {
  readonly changed: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onSave: () => void;
  readonly onReset: () => void;
  /** Changes last as long as the page: switching between its tabs needs no confirmation. */
  readonly withinPage?: boolean;
};

/**
 * Appears when there are changes; Ctrl or ⌘ S saves; leaving with changes asks for confirmation.
 */
export function SaveBar(props: SaveBarProps) {
  const { changed, busy, error, onSave, onReset, withinPage = false } = props;
  useSaveKey(changed && !busy, onSave);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      changed && !(withinPage && current.pathname === next.pathname),
    enableBeforeUnload: () => changed,
    withResolver: true,
  });
  return (
    <>
      {changed && (
        <div className={styles.bar} role="region" aria-label="Unsaved changes">
          <FailureNote error={error} />
          <div className={styles.row}>
            <span>Unsaved changes</span>
            <div className={styles.actions}>
              <Button onClick={onReset} disabled={busy}>
                Discard
              </Button>
              <Button look="primary" busy={busy} onClick={onSave}>
                Save changes
              </Button>
            </div>
          </div>
        </div>
      )}
      {blocker.status === 'blocked' && (
        <Dialog title="Leave without saving?" onClose={blocker.reset}>
          <DialogBody>
            <p>Your changes on this page are not saved and will be lost.</p>
          </DialogBody>
          <DialogActions>
            <Button onClick={blocker.reset}>Stay</Button>
            <Button look="danger" onClick={blocker.proceed}>
              Leave and lose changes
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

function useSaveKey(active: boolean, onSave: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (active) onSave();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [active, onSave]);
}
