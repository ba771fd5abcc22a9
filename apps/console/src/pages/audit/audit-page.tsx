import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditRecord } from '@parley/client/server';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useListPlace } from '../../address.js';
import { newestFirst } from '../../api/newest-first.js';
import { useOrganization, useParley } from '../../api/parley.js';
import { Button } from '../../parts/button.js';
import { ShortId } from '../../parts/copy.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { ChoiceFilter, DayFilter, Filters, SearchFilter } from '../../parts/filters.js';
import { Name } from '../../parts/name.js';
import { EmptyState, Page } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { actions, resourceText } from './actions.js';
import { momentsOf } from './day-range.js';
import { ExportDialog } from './export-dialog.js';
import { RecordDialog } from './record-dialog.js';
import { Verification } from './verification.js';
import styles from './audit.module.css';

export function AuditPage() {
  const [exporting, setExporting] = useState(false);
  const { query, filtered } = useAuditFilter();
  return (
    <Page
      title="Audit log"
      lead="Who changed what, and when. Records are chained by their hashes, so any tampering is detectable."
      actions={
        <Button onClick={() => setExporting(true)}>
          <Download size={16} /> Export
        </Button>
      }
    >
      <Verification />
      <AuditFilters />
      <AuditList />
      {exporting && (
        <ExportDialog query={query} filtered={filtered} onClose={() => setExporting(false)} />
      )}
    </Page>
  );
}

/** The filter in the address. */
function useAuditFilter() {
  const [{ actor, action, from, to }] = useAddress();
  const query = { actor, action, ...momentsOf({ from, to }) };
  const filtered = [actor, action, from, to].some((value) => value !== undefined);
  return { query, filtered };
}

function AuditFilters() {
  const [{ actor = '', action = '', from = '', to = '' }, change] = useAddress();
  const { filtered } = useAuditFilter();
  const known = action === '' || actions.includes(action) ? actions : [action, ...actions];
  return (
    <Filters>
      <SearchFilter
        label="Who: a name or an id"
        value={actor}
        onChange={(value) => change({ actor: value })}
      />
      <ChoiceFilter
        label="What"
        value={action}
        options={[
          { value: '', label: 'Anything' },
          ...known.map((value) => ({ value, label: value })),
        ]}
        onChange={(value) => change({ action: value })}
      />
      <DayFilter label="From" value={from} onChange={(value) => change({ from: value })} />
      <DayFilter label="To" value={to} onChange={(value) => change({ to: value })} />
      {filtered && (
        <Button
          small
          look="ghost"
          onClick={() =>
            change({ actor: undefined, action: undefined, from: undefined, to: undefined })
          }
        >
          Clear
        </Button>
      )}
    </Filters>
  );
}

function AuditList() {
  const { id } = useOrganization();
  const { audit } = useParley();
  const [{ id: open }, change] = useAddress();
  const { query, filtered } = useAuditFilter();
  const { place, pagingOf } = useListPlace();
  const records = useQuery({
    queryKey: [id, 'audit', query, place.offset],
    queryFn: async () => newestFirst((part) => audit.list({ ...query, ...part }), place),
    placeholderData: (before) => before,
  });
  const chosen = useOpenRecord(open, records.data?.items);
  const close = () =>
    change({ id: undefined, offset: place.offset === 0 ? undefined : String(place.offset) });
  return (
    <>
      <DataTable
        label="Audit records"
        leads
        columns={columns}
        rows={records.data?.items}
        rowKey={(record) => String(record.sequence)}
        error={records.error}
        onRetry={() => void records.refetch()}
        paging={pagingOf(records.data?.total)}
        empty={
          <EmptyState title={filtered ? 'No matching records' : 'No records yet'}>
            {filtered
              ? 'Change the dates or the filters.'
              : 'Every change to this organization is listed here.'}
          </EmptyState>
        }
      />
      {chosen && <RecordDialog record={chosen} onClose={close} />}
    </>
  );
}

/**
 * A link may open a record that the list does not show. Without a filter, a record's position in
 * the list is its sequence.
 */
function useOpenRecord(open: string | undefined, shown: readonly AuditRecord[] | undefined) {
  const { id } = useOrganization();
  const { audit } = useParley();
  const sequence = Number(open);
  const found = shown?.find((record) => record.sequence === sequence);
  const valid = Number.isSafeInteger(sequence) && sequence > 0;
  const { data } = useQuery({
    queryKey: [id, 'audit', 'record', sequence],
    queryFn: async () => {
      const { items } = await audit.list({ offset: sequence - 1, limit: 1 });
      return items.find((record) => record.sequence === sequence) ?? null;
    },
    enabled: valid && shown !== undefined && !found,
  });
  return valid ? (found ?? data) : undefined;
}

const columns: readonly Column<AuditRecord>[] = [
  {
    name: 'What',
    cell: ({ action, sequence }) => (
      <Link to="." search={(before) => ({ ...before, id: String(sequence) })}>
        {action}
      </Link>
    ),
  },
  {
    name: 'Who',
    cell: ({ actor }) => (
      <span className={styles.who}>
        <Name text={actor.name} />
        <span className={styles.quiet}>{actor.kind}</span>
      </span>
    ),
  },
  {
    name: 'Entity',
    minor: true,
    cell: ({ resourceType, resourceId }) => (
      <span className={styles.entity}>
        {resourceText(resourceType)}
        {resourceId !== null && <ShortId id={resourceId} />}
      </span>
    ),
  },
  { name: 'When', cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { name: 'Record', number: true, minor: true, cell: ({ sequence }) => sequence },
];
