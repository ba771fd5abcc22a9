import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { failureOf } from '../api/failure.js';
import styles from './toasts.module.css';

const manager = Toast.createToastManager();

type Told = {
  title: string;
  text?: string;
  /** Undoes the action. */
  undo?: () => void;
};

export function tell({ title, text, undo }: Told): void {
  const id = manager.add({
    title,
    ...(text !== undefined && { description: text }),
    ...(undo && {
      actionProps: {
        children: 'Undo',
        onClick: () => {
          manager.close(id);
          undo();
        },
      },
    }),
  });
}

/** For a failure that has no place on the page. It stays until it is dismissed. */
export function tellFailure(error: unknown): void {
  const { title, advice } = failureOf(error);
  manager.add({ title, description: advice, type: 'failure', timeout: 0, priority: 'high' });
}

export function Toasts() {
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast} data-kind={toast.type}>
      <div>
        <Toast.Title className={styles.title} />
        <Toast.Description className={styles.text} />
        <Toast.Action className={styles.action} />
      </div>
      <Toast.Close className={styles.close} aria-label="Dismiss">
        <X size={14} />
      </Toast.Close>
    </Toast.Root>
  ));
}
