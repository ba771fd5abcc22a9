import { Upload as UploadIcon, X } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { Button, IconButton } from '../../parts/button.js';
import { FailureNote } from '../../parts/failure-note.js';
import type { Upload } from './uploads.js';
import styles from './files.module.css';

type OnFiles = (files: readonly File[]) => void;

const accepted = '.txt,.md,.csv,.json,.pdf,text/*,application/json,application/pdf';

export function UploadButton({
  onFiles,
  quiet = false,
}: {
  readonly onFiles: OnFiles;
  readonly quiet?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look={quiet ? 'secondary' : 'primary'} onClick={() => input.current?.click()}>
        <UploadIcon size={16} /> Upload files
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accepted}
        aria-label="Files to upload"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** A drop zone for files. */
export function DropPlace({
  disabled,
  onFiles,
  children,
}: {
  readonly disabled: boolean;
  readonly onFiles: OnFiles;
  readonly children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  return (
    <div
      className={styles.place}
      data-over={over}
      onDragOver={(event) => {
        if (disabled || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (disabled) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </div>
  );
}

export function UploadList({
  uploads,
  onDismiss,
}: {
  readonly uploads: readonly Upload[];
  readonly onDismiss: (key: string) => void;
}) {
  if (uploads.length === 0) return null;
  return (
    <ul className={styles.uploads} aria-label="Uploads">
      {uploads.map(({ key, name, part, error }) => (
        <li key={key}>
          <div className={styles.upload}>
            <bdi className={styles.name}>{name}</bdi>
            {error === undefined ? (
              <progress value={part} max={1} aria-label={`Upload of ${name}`} />
            ) : (
              <IconButton
                small
                label="Dismiss"
                icon={<X size={14} />}
                onClick={() => onDismiss(key)}
              />
            )}
          </div>
          <FailureNote error={error} />
        </li>
      ))}
    </ul>
  );
}
