import type { ReactNode } from 'react';
import { Button } from './button.js';
import { CopyTextButton } from './copy.js';
import { Dialog, DialogActions, DialogBody } from './dialog.js';
import styles from './shown-once.module.css';

type ShownOnceProps = {
  readonly title: string;
  /** What it is for, and that it is not shown again. */
  readonly description: ReactNode;
  /** What it is, for screen readers: "API key". */
  readonly what: string;
  readonly secret: string;
  /** How it is used. */
  readonly children?: ReactNode;
  readonly onDone: () => void;
};

/**
 * A secret that the service shows only once. Only its button closes the dialog, not Escape or a
 * click outside.
 */
export function ShownOnceDialog(props: ShownOnceProps) {
  const { title, description, what, secret, children, onDone } = props;
  return (
    <Dialog title={title} description={description} keepOpen wide onClose={onDone}>
      <DialogBody>
        <div className={styles.secret}>
          <code aria-label={what}>{secret}</code>
          <div className={styles.row}>
            <CopyTextButton text={secret} label={`Copy the ${what}`} look="primary" />
          </div>
        </div>
        {children}
      </DialogBody>
      <DialogActions>
        <Button onClick={onDone}>I have stored it</Button>
      </DialogActions>
    </Dialog>
  );
}
