import type { AuditRecord } from '@parley/client/server';
import { useState } from 'react';
import { Button } from '../../parts/button.js';
import { JsonBlock } from '../../parts/code-block.js';
import { CopyButton } from '../../parts/copy.js';
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.js';
import { Tabs } from '../../parts/tabs.js';
import { exactTime } from '../../parts/words.js';
import { resourceText } from './actions.js';
import { differencesOf, type Difference } from './differences.js';
import styles from './audit.module.css';

/** One record: who, what and when, the changes, and the raw record. */
export function RecordDialog({
  record,
  onClose,
}: {
  readonly record: AuditRecord;
  readonly onClose: () => void;
}) {
  const [tab, setTab] = useState<'changes' | 'json'>('changes');
  return (
    <Dialog
      title={record.action}
      description={
        <>
          <bdi>{record.actor.name}</bdi> ({record.actor.kind}) ·{' '}
          {exactTime(new Date(record.occurredAt))}
        </>
      }
      wide
      onClose={onClose}
    >
      <DialogBody>
        <dl className={styles.facts}>
          <div>
            <dt>Record</dt>
            <dd>{record.sequence}</dd>
          </div>
          <div>
            <dt>{resourceText(record.resourceType)}</dt>
            <dd>{record.resourceId === null ? '–' : <CopiedId text={record.resourceId} />}</dd>
          </div>
          <div>
            <dt>Hash</dt>
            <dd>
              <CopiedId text={record.hash} />
            </dd>
          </div>
        </dl>
        <Tabs
          label="The record"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: 'changes',
              label: 'Changes',
              content: <Changes differences={differencesOf(record.before, record.after)} />,
            },
            { value: 'json', label: 'JSON', content: <JsonBlock value={record} /> },
          ]}
        />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function CopiedId({ text }: { readonly text: string }) {
  return (
    <span className={styles.copied}>
      <code>{text}</code>
      <CopyButton text={text} label="Copy the record" />
    </span>
  );
}

function Changes({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0)
    return <p className={styles.quiet}>This record has no changed values.</p>;
  return (
    <div className={styles.scroll}>
      <table className={styles.changes}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ place, before, after }) => (
            <tr key={place}>
              <th scope="row">{place}</th>
              <td>{before === undefined ? <Nothing /> : <del dir="auto">{before}</del>}</td>
              <td>{after === undefined ? <Nothing /> : <ins dir="auto">{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Nothing() {
  return (
    <span className={styles.quiet} title="Not set">
      –
    </span>
  );
}
