import { appendAudit, expireFile, findFile, listFiles } from '@parley/database';
import type { Call, Handlers, Target } from '../http/call.js';
import { found } from '../http/found.js';
import { pageOf } from '../http/query.js';
import { fileView } from './file-view.js';
import { auditOf, receiveFile, type ReceivingPorts } from './receive-file.js';

type FileHandlers = Pick<
  Handlers,
  | 'listTemporaryFiles'
  | 'uploadTemporaryFile'
  | 'getTemporaryFile'
  | 'downloadTemporaryFile'
  | 'deleteTemporaryFile'
>;

export function fileOperations(ports: ReceivingPorts): FileHandlers {
  const { database, files } = ports;
  const visibleFile = async ({ caller, params }: Target<'getTemporaryFile'>) =>
    found(
      await database.inOrganization(caller.organizationId, (scope) =>
        findFile(scope, params.fileId),
      ),
    );
  return {
    listTemporaryFiles: {
      run: ({ caller, query }) =>
        database.inSnapshot(caller.organizationId, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listFiles(scope, page);
          return { items: items.map(fileView), total, ...page };
        }),
    },
    uploadTemporaryFile: { run: (call) => receiveFile(ports, call) },
    getTemporaryFile: { run: async (call) => fileView(await visibleFile(call)) },
    downloadTemporaryFile: {
      async run(call) {
        const { id, storage, name, mediaType, sizeBytes } = await visibleFile(call);
        const { organizationId } = call.caller;
        const content = files.open({ id, organizationId, storage });
        return { name, mediaType, sizeBytes, content };
      },
    },
    deleteTemporaryFile: { run: (call) => remove(ports, call) },
  };
}

/**
 * The file is gone for everyone once this is committed; its bytes are deleted now or by the next
 * sweep.
 */
async function remove(
  { database, files, logger }: ReceivingPorts,
  { caller, params: { fileId } }: Call<'deleteTemporaryFile'>,
): Promise<undefined> {
  const { organizationId } = caller;
  const record = await database.inOrganization(organizationId, async (scope) => {
    const expired = found(await expireFile(scope, fileId));
    const before = fileView(expired);
    await appendAudit(scope, { actor: caller.actor, ...auditOf('deleted', expired), before });
    return expired;
  });
  await files
    .discard({ id: record.id, organizationId, storage: record.storage })
    .catch((err: unknown) =>
      logger.warn({ err, file: record.id }, 'discarding file content failed; the sweep will retry'),
    );
  return undefined;
}
