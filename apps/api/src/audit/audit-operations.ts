import {
  auditBySequences,
  auditRange,
  lastAuditSequence,
  listAudit,
  nextAudit,
  type AuditFilter,
  type AuditRange,
  type Database,
} from '@parley/database';
import { operations, type AuditFormat, type AuditRecord } from '@parley/protocol';
import type { Call, Caller, Handlers, Streamed } from '../http/call.js';
import { longPage, readLater } from '../http/long-page.js';
import { pageOf } from '../http/query.js';
import { csvHeader, csvRow } from './audit-csv.js';
import { auditView } from './audit-view.js';
import { auditVerifier } from './audit-verifier.js';

type AuditHandlers = Pick<Handlers, 'listAuditLog' | 'exportAuditLog' | 'verifyAuditLog'>;

export function auditOperations(database: Database): AuditHandlers {
  const verify = auditVerifier(database.background);
  return {
    listAuditLog: {
      run: async ({ caller, query }) => {
        const page = pageOf(query);
        const listed = await database.inSnapshot(caller.organizationId, (scope) =>
          listAudit(scope, filterOf(query), page),
        );
        return longPage(
          { database, caller },
          {
            ...listed,
            ...page,
            idOf: ({ sequence }) => sequence,
            read: auditBySequences,
            view: auditView,
          },
        );
      },
    },
    exportAuditLog: { run: (call) => exported(database, call) },
    verifyAuditLog: { run: ({ caller }) => verify(caller.organizationId) },
  };
}

const [jsonLines, csv] = operations.exportAuditLog.success.stream;

const formats: Record<
  AuditFormat,
  { mediaType: string; header: string; line: (record: AuditRecord) => string }
> = {
  jsonl: {
    mediaType: jsonLines,
    header: '',
    line: (record) => `${JSON.stringify(record)}\n`,
  },
  csv: { mediaType: csv, header: csvHeader, line: csvRow },
};

/**
 * The range ends at the current last record, so that an export finishes however busy the
 * organization is.
 */
async function exported(
  database: Database,
  { caller, query }: Call<'exportAuditLog'>,
): Promise<Streamed> {
  const { Format: format = 'jsonl', After: after = 0 } = query;
  const filter = filterOf(query);
  const { through, range } = await database.inOrganization(caller.organizationId, async (scope) => {
    const through = await lastAuditSequence(scope);
    const whole = { after, through };
    return {
      through,
      range: isTimed(filter) ? overlap(whole, await auditRange(scope, filter)) : whole,
    };
  });
  const { mediaType, header, line } = formats[format];
  const batches = readBatches({ database, caller, filter }, range);
  return {
    mediaType,
    headers: {
      'Audit-Through': String(through),
      'Content-Disposition': `attachment; filename="audit-log.${format}"`,
    },
    chunks: (async function* () {
      if (header !== '') yield header;
      for await (const batch of batches) yield batch.map(line).join('');
    })(),
  };
}

const isTimed = ({ from, to }: AuditFilter) => from !== undefined || to !== undefined;

function overlap(one: AuditRange, other: AuditRange): AuditRange {
  return {
    after: Math.max(one.after, other.after),
    through: Math.min(one.through, other.through),
  };
}

type Source = { database: Database; caller: Caller; filter: AuditFilter };

/**
 * Reads in batches, each in its own transaction that starts where the last one ended: records are
 * never changed or removed, so the batches fit together, and a paused reader holds neither a
 * connection nor a snapshot.
 */
async function* readBatches(
  { database, caller, filter }: Source,
  range: AuditRange,
): AsyncGenerator<AuditRecord[]> {
  let after = range.after;
  while (after < range.through) {
    const { through } = range;
    const from = after;
    const records = await readLater({ database, caller }, (scope) =>
      nextAudit(scope, filter, { after: from, through }),
    );
    const last = records.at(-1);
    if (!last) return;
    yield records.map(auditView);
    after = last.sequence;
  }
}

type FilterQuery = Pick<Call<'listAuditLog'>['query'], 'From' | 'To' | 'Actor' | 'Action'>;

function filterOf({ From, To, Actor, Action }: FilterQuery): AuditFilter {
  return {
    from: From === undefined ? undefined : new Date(From),
    to: To === undefined ? undefined : new Date(To),
    actor: Actor,
    action: Action,
  };
}
