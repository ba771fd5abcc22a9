import type { TemporaryFile } from '@parley/client/server';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { IconButton } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { download } from '../../parts/download.js';
import { tell, tellFailure } from '../../parts/toasts.js';
import styles from './files.module.css';

export function FileActions({ file }: { readonly file: TemporaryFile }) {
  const parley = useParley();
  const mayEdit = useMay('editor');
  const [asking, setAsking] = useState(false);
  const fetching = useMutation({
    mutationFn: async () => (await parley.files.download(file.id)).blob(),
    onSuccess: (content) => download(content, file.name),
    onError: tellFailure,
  });
  return (
    <span className={styles.actions}>
      <IconButton
        small
        label={`Download ${file.name}`}
        icon={<Download size={16} />}
        busy={fetching.isPending}
        onClick={() => fetching.mutate()}
      />
      {mayEdit && (
        <IconButton
          small
          label={`Delete ${file.name}`}
          icon={<Trash2 size={16} />}
          onClick={() => setAsking(true)}
        />
      )}
      {asking && <DeleteFile file={file} onClose={() => setAsking(false)} />}
    </span>
  );
}

function DeleteFile({
  file,
  onClose,
}: {
  readonly file: TemporaryFile;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => parley.files.delete(file.id),
    onSuccess: async () => {
      onClose();
      tell({ title: 'File deleted' });
      await client.invalidateQueries({ queryKey: [id, 'files'] });
    },
  });
  return (
    <ConfirmDialog
      title="Delete this file?"
      consequences={
        <p className={styles.words}>
          “<bdi>{file.name}</bdi>” is deleted. Agents can no longer read its text; answers that used
          it are kept. This cannot be undone.
        </p>
      }
      action="Delete file"
      busy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
