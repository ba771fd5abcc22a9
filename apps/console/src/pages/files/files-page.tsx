import type { TemporaryFile } from '@parley/client/server';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { newestFirst } from '../../api/newest-first.js';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { ShortId } from '../../parts/copy.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { EmptyState, Page } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { countText, sizeText } from '../../parts/words.js';
import { offsetOf } from '../../search.js';
import { FileActions } from './file-actions.js';
import { DropPlace, UploadButton, UploadList } from './file-uploads.js';
import { useUploads } from './use-uploads.js';
import styles from './files.module.css';

const limit = 50;
const from = '/$organizationId/files';

export function FilesPage() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const { id } = useOrganization();
  const mayEdit = useMay('editor');
  const parley = useParley();
  const uploads = useUploads();
  const offset = offsetOf(search.offset);
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'files', offset],
    queryFn: () => newestFirst((place) => parley.files.list(place), { offset, limit }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Files"
      lead="Temporary files whose text an agent can read during a question or a call."
      actions={mayEdit ? <UploadButton onFiles={uploads.add} /> : undefined}
    >
      <DropPlace disabled={!mayEdit} onFiles={uploads.add}>
        <UploadList uploads={uploads.all} onDismiss={uploads.dismiss} />
        <DataTable
          label="Files"
          columns={columns}
          rows={data?.items}
          rowKey={(row) => row.id}
          error={error}
          onRetry={() => void refetch()}
          empty={
            <EmptyState
              title="No files"
              action={mayEdit ? <UploadButton onFiles={uploads.add} quiet /> : undefined}
            >
              Drop a text, Markdown, CSV, JSON or PDF file here.
            </EmptyState>
          }
          paging={
            data && {
              total: data.total,
              offset,
              limit,
              onMove: (to) => void navigate({ search: { offset: String(to) } }),
            }
          }
        />
      </DropPlace>
    </Page>
  );
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'Text'],
  ['text/markdown', 'Markdown'],
  ['text/csv', 'CSV'],
  ['application/json', 'JSON'],
  ['application/pdf', 'PDF'],
]);

const columns: readonly Column<TemporaryFile>[] = [
  {
    name: 'Name',
    cell: ({ name }) => (
      <bdi className={styles.name} title={name}>
        {name}
      </bdi>
    ),
  },
  {
    name: 'Kind',
    minor: true,
    cell: ({ mediaType }) => <Badge plain>{kinds.get(mediaType) ?? mediaType}</Badge>,
  },
  { name: 'Size', number: true, cell: ({ sizeBytes }) => sizeText(sizeBytes) },
  {
    name: 'Text',
    number: true,
    minor: true,
    cell: ({ characters, textTruncated }) =>
      `${countText(characters)} characters${textTruncated ? ', truncated' : ''}`,
  },
  { name: 'Id', minor: true, cell: ({ id }) => <ShortId id={id} what="file’s id" /> },
  { name: 'Kept until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  { name: 'Actions', quiet: true, number: true, cell: (file) => <FileActions file={file} /> },
];
