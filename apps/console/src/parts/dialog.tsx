import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useId, useState, type ReactNode, type SubmitEvent } from 'react';
import { Button, IconButton } from './button.js';
import { FailureNote } from './failure-note.js';
import { TextField } from './fields.js';
import styles from './dialog.module.css';

type DialogProps = {
  readonly title: string;
  readonly description?: ReactNode;
  readonly onClose: () => void;
  /** Only its buttons close the dialog, so that nothing is lost by accident. */
  readonly keepOpen?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A dialog that is open while it is rendered. */
export function Dialog({ title, description, onClose, keepOpen, wide, children }: DialogProps) {
  return (
    <Base.Root
      open
      disablePointerDismissal={keepOpen === true}
      onOpenChange={(open) => {
        if (!open && keepOpen !== true) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={`${styles.popup} ${wide === true ? styles.wide : ''}`}>
          <div className={styles.head}>
            <div>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {description !== undefined && (
                <Base.Description render={<div />} className={styles.description}>
                  {description}
                </Base.Description>
              )}
            </div>
            {keepOpen !== true && (
              <IconButton label="Close" icon={<X size={16} />} small onClick={onClose} />
            )}
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

type FormDialogProps = Omit<DialogProps, 'children'> & {
  /** The label of its button: "Create key". */
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly disabled?: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

/** A short form: Enter submits it. */
export function FormDialog({ action, busy, error, onSubmit, children, ...rest }: FormDialogProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog {...rest}>
      <form onSubmit={submit} noValidate>
        <DialogBody>
          {children}
          <FailureNote error={error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={rest.onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy} disabled={rest.disabled === true}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

type ConfirmProps = {
  /** "Revoke the key “Backend”?" */
  readonly title: string;
  /** What else is deleted or affected. */
  readonly consequences: ReactNode;
  readonly action: string;
  /** Text to type first, for actions that cannot be undone. */
  readonly typeToConfirm?: string | undefined;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Confirms a destructive action and names its consequences. */
export function ConfirmDialog(props: ConfirmProps) {
  const [typed, setTyped] = useState('');
  const id = useId();
  const { typeToConfirm } = props;
  const ready = typeToConfirm === undefined || typed === typeToConfirm;
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) props.onConfirm();
        }}
      >
        <DialogBody>
          <div>{props.consequences}</div>
          {typeToConfirm !== undefined && (
            <TextField
              id={id}
              label={`Type ${typeToConfirm} to confirm`}
              value={typed}
              onChange={setTyped}
              autoComplete="off"
            />
          )}
          <FailureNote error={props.error} />
        </DialogBody>
        <DialogActions>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={props.busy} disabled={!ready}>
            {props.action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** A panel that slides in from the left on a phone. */
export function Sheet({
  label,
  onClose,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.sheet} aria-label={label}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
