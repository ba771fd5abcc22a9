import { useMutation } from '@tanstack/react-query';
import type { ExportAuditLogQuery } from '@parley/client/server';
import { useEffect, useRef, useState } from 'react';
import { isLost } from '../../api/signed-in.js';
import { useParley } from '../../api/parley.js';
import { Button } from '../../parts/button.js';
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.js';
import { FailureNote } from '../../parts/failure-note.js';
import { SelectField } from '../../parts/fields.js';
import { countOf, sizeText } from '../../parts/words.js';
import { readExport, saveFile, type ExportFormat, type Progress } from './export-file.js';
import styles from './audit.module.css';

const formats = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'jsonl', label: 'NDJSON, for programs: one record per line' },
] as const;

/**
 * Exports all records that match the filter and saves them as a file. Closing the dialog cancels
 * the export.
 */
export function ExportDialog({
  query,
  filtered,
  onClose,
}: {
  readonly query: ExportAuditLogQuery;
  readonly filtered: boolean;
  readonly onClose: () => void;
}) {
  const { audit } = useParley();
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [progress, setProgress] = useState<Progress>();
  const cancel = useRef<AbortController>(undefined);
  useEffect(() => () => cancel.current?.abort(), []);
  const run = useMutation({
    mutationFn: async () => {
      const controller = new AbortController();
      cancel.current = controller;
      setProgress({ records: 0, bytes: 0 });
      const { signal } = controller;
      return readExport(audit, { format, query, signal }, setProgress);
    },
    onSuccess: (file) => saveFile(file, `audit-log.${format}`),
  });
  const cancelled = isLost(run.error) && run.error.reason === 'aborted';
  const closing = () => {
    cancel.current?.abort();
    onClose();
  };
  return (
    <Dialog
      title="Export the audit log"
      description={
        filtered
          ? 'The records that match your filter, oldest first.'
          : 'All records, oldest first. To export only some, filter the list first.'
      }
      keepOpen={run.isPending}
      onClose={closing}
    >
      <DialogBody>
        <SelectField
          label="Format"
          value={format}
          options={formats}
          disabled={run.isPending}
          onChange={setFormat}
        />
        <div aria-live="polite">
          {progress && !cancelled && (
            <p className={styles.progress}>
              {run.isSuccess ? 'Saved ' : 'Read '}
              {countOf(progress.records, 'record')}, {sizeText(progress.bytes)}
              {run.isPending && ' …'}
            </p>
          )}
          {cancelled && <p>Cancelled. Nothing was saved.</p>}
        </div>
        {!cancelled && <FailureNote error={run.error} />}
      </DialogBody>
      <DialogActions>
        {run.isPending ? (
          <Button onClick={() => cancel.current?.abort()}>Cancel</Button>
        ) : (
          <Button onClick={closing}>Close</Button>
        )}
        <Button look="primary" busy={run.isPending} onClick={() => run.mutate()}>
          Export
        </Button>
      </DialogActions>
    </Dialog>
  );
}
