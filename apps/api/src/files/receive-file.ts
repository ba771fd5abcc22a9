import {
  abandonUpload,
  appendAudit,
  beginUpload,
  finishUpload,
  holdQuota,
  quotaUse,
  type Database,
  type FileRecord,
  type OrganizationScope,
  type StoredFile,
} from '@parley/database';
import {
  ContentInspector,
  type Examiner,
  type FileStore,
  type Finding,
  type FoundText,
  type Refusal,
} from '@parley/file-store';
import type { QuotaGuard } from '@parley/issuing';
import { Problem, type FileMediaType, type TemporaryFile } from '@parley/protocol';
import type { Logger } from '@parley/service-kit';
import type { Call } from '../http/call.js';
import { found } from '../http/found.js';
import { storableName } from './file-name.js';
import { fileView } from './file-view.js';

export type ReceivingPorts = {
  readonly database: Database;
  readonly files: FileStore;
  readonly examiner: Examiner;
  readonly logger: Logger;
  readonly ttlHours: number;
  readonly quotas: QuotaGuard;
};

/**
 * Stores a file as it arrives, and makes it visible once it is complete and valid. Otherwise,
 * nothing is kept.
 */
export async function receiveFile(
  ports: ReceivingPorts,
  { caller, body: upload, commit }: Call<'uploadTemporaryFile'>,
): Promise<TemporaryFile> {
  const { database, files, ttlHours, quotas } = ports;
  const { organizationId } = caller;
  const name = storableName(upload.name);
  const requireRoom = async (scope: OrganizationScope, more: number) =>
    quotas.require(scope, 'fileBytes', { used: await quotaUse.fileBytes(scope), more });
  const file = await database.inOrganization(organizationId, async (scope) => {
    await requireRoom(scope, 1);
    return beginUpload(scope, { name, storage: files.storage });
  });
  try {
    const inspector = new ContentInspector(upload);
    const sizeBytes = await files.put(file, inspected(upload.content, inspector));
    const { mediaType, text, truncated } = await accepted(ports, file, inspector.end());
    const content = { mediaType, sizeBytes, text, textTruncated: truncated };
    return await commit(async (scope) => {
      await holdQuota(scope, 'fileBytes');
      await requireRoom(scope, sizeBytes);
      const record = found(await finishUpload(scope, { id: file.id, ...content, ttlHours }));
      const after = fileView(record);
      await appendAudit(scope, { actor: caller.actor, ...auditOf('uploaded', record), after });
      return after;
    });
  } catch (error) {
    await giveUp(ports, file);
    throw error;
  }
}

export function auditOf(what: 'uploaded' | 'deleted', { id }: Pick<FileRecord, 'id'>) {
  return {
    action: `temporaryFile.${what}`,
    resourceType: 'temporaryFile',
    resourceId: id,
  } as const;
}

/**
 * If it cannot be deleted now, it expires now and is left to the sweep. A file that became visible
 * stays: the answer that names it may be stored under the request's Idempotency-Key.
 */
async function giveUp({ database, files, logger }: ReceivingPorts, file: StoredFile) {
  try {
    const abandoned = await database.inOrganization(file.organizationId, (scope) =>
      abandonUpload(scope, file.id),
    );
    if (abandoned) await files.discard(file);
  } catch (err) {
    logger.warn({ err, file: file.id }, 'discarding failed upload failed; the sweep will retry');
  }
}

async function* inspected(
  content: AsyncIterable<Buffer>,
  inspector: ContentInspector,
): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    if (!inspector.push(bytes)) throw refusalOf('unsupported');
    yield bytes;
  }
}

async function accepted(
  { files, examiner }: ReceivingPorts,
  file: StoredFile,
  finding: Finding,
): Promise<FoundText & { mediaType: FileMediaType }> {
  if (finding.kind === 'refused') throw refusalOf(finding.refusal);
  if (finding.kind === 'text') return finding;
  const { mediaType } = finding;
  const { organizationId } = file;
  const open = () => files.open(file);
  const examined = await examiner.examine({ organizationId, mediaType, open });
  if (examined.kind === 'refused') throw refusalOf(examined.refusal);
  if (examined.kind === 'busy')
    throw new Problem(
      'service-unavailable',
      'Too many files of your organization are being processed. Try again shortly.',
      {
        headers: { 'Retry-After': '5' },
      },
    );
  return { mediaType, ...examined };
}

const refusals = {
  empty: 'is empty',
  'no-text': 'contains no text',
  'not-json': 'is not valid JSON',
  encrypted: 'is encrypted: remove its password first',
  unreadable: 'is corrupt, or too complex to parse',
} as const satisfies Record<Exclude<Refusal, 'unsupported'>, string>;

function refusalOf(refusal: Refusal): Problem {
  if (refusal === 'unsupported')
    return new Problem(
      'file-type-unsupported',
      'The content of the file is not plain text, Markdown, CSV or JSON in UTF-8, nor a PDF.',
    );
  const errors = [{ path: '/file', message: refusals[refusal] }];
  return new Problem('body-invalid', `The file ${refusals[refusal]}.`, { errors });
}
