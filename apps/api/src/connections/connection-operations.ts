import {
  appendAudit,
  deleteConnection,
  findConnection,
  insertConnection,
  listConnections,
  lockConnection,
  secretContext,
  setConnectionSecret,
  updateConnection,
  usersOfConnection,
  type ConnectionFields,
  type ConnectionRecord,
  type Database,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import {
  ConnectionInput,
  Problem,
  withDefaults,
  type ChangedConnection,
  type Connection,
  type ConnectionKind,
  type ConnectionPatch,
  type Warning,
} from '@parley/protocol';
import { providerBase } from '@parley/providers';
import type { Caller, Handlers, Target } from '../http/call.js';
import { found } from '../http/found.js';
import { pageOf } from '../http/query.js';

export type ConnectionPorts = { database: Database; secretBox: SecretBox };

type ConnectionHandlers = Pick<
  Handlers,
  'listConnections' | 'createConnection' | 'getConnection' | 'updateConnection' | 'deleteConnection'
>;

export function connectionOperations(ports: ConnectionPorts): ConnectionHandlers {
  const inOrganization = <T>(caller: Caller, work: (scope: OrganizationScope) => Promise<T>) =>
    ports.database.inOrganization(caller.organizationId, work);

  return {
    listConnections: {
      run: ({ caller, query }) =>
        ports.database.inSnapshot(caller.organizationId, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listConnections(scope, page);
          return { items: items.map(connectionView), total, ...page };
        }),
    },
    createConnection: {
      run: ({ caller, body, commit }) => commit((scope) => create({ scope, caller, ports }, body)),
    },
    getConnection: {
      run: ({ caller, params }) =>
        inOrganization(caller, async (scope) =>
          connectionView(found(await findConnection(scope, params.connectionId))),
        ),
    },
    updateConnection: {
      visible: ({ caller, params }: Target<'getConnection'>) =>
        inOrganization(
          caller,
          async (scope) => (await findConnection(scope, params.connectionId)) !== undefined,
        ),
      run: ({ caller, params, body }) =>
        inOrganization(caller, (scope) =>
          change({ scope, caller, ports }, params.connectionId, body),
        ),
    },
    deleteConnection: {
      run: ({ caller, params }) =>
        inOrganization(caller, (scope) => remove({ scope, caller, ports }, params.connectionId)),
    },
  };
}

type Work = { scope: OrganizationScope; caller: Caller; ports: ConnectionPorts };

async function create(work: Work, input: ConnectionInput): Promise<Connection> {
  const { scope, caller } = work;
  const { secret, ...fields } = withDefaults(ConnectionInput, input) as Required<ConnectionInput>;
  requireBaseUrl(fields);
  const id = await insertConnection(scope, fields);
  await storeSecret(work, id, secret);
  const after = connectionView(found(await findConnection(scope, id)));
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'connection.created',
    resourceType: 'connection',
    resourceId: id,
    after,
  });
  return after;
}

async function change(
  work: Work,
  id: string,
  { secret, ...changes }: ConnectionPatch,
): Promise<ChangedConnection> {
  const { scope, caller } = work;
  const record = found(await lockConnection(scope, id));
  const { name, kind, baseUrl, models, realtime, enabled } = { ...record, ...changes };
  const fields: ConnectionFields = { name, kind, baseUrl, models, realtime, enabled };
  requireBaseUrl(fields);
  const dropped = record.hasSecret && secret === undefined && originOf(record) !== originOf(fields);
  await updateConnection(scope, { id, ...fields });
  await storeSecret(work, id, dropped ? null : secret);
  const after = connectionView(found(await findConnection(scope, id)));
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'connection.updated',
    resourceType: 'connection',
    resourceId: id,
    before: connectionView(record),
    after: {
      ...after,
      ...(secret !== undefined && { secretWritten: true }),
      ...(dropped && { secretDropped: true }),
    },
  });
  return dropped ? { ...after, warnings: [secretDropped] } : after;
}

const secretDropped: Warning = {
  code: 'secret-dropped',
  path: '/secret',
  message:
    'The secret was dropped: the new baseUrl would send it to another origin. Send it again if that is what you want.',
};

/** The origin that a secret would be sent to, if any. */
function originOf({ kind, baseUrl }: Pick<ConnectionFields, 'kind' | 'baseUrl'>) {
  const target = { kind: kind as ConnectionKind, baseUrl: baseUrl ?? null, secret: null };
  const base = providerBase(target);
  return base && new URL(base.url).origin;
}

async function remove({ scope, caller }: Work, id: string): Promise<undefined> {
  const record = found(await lockConnection(scope, id));
  const users = await usersOfConnection(scope, id);
  if (users.length > 0)
    throw new Problem(
      'conflict',
      `The connection is used by ${users.join(', ')}. Give them another one first.`,
    );
  await deleteConnection(scope, id);
  await appendAudit(scope, {
    actor: caller.actor,
    action: 'connection.deleted',
    resourceType: 'connection',
    resourceId: id,
    before: connectionView(record),
  });
  return undefined;
}

/** Only OpenAI and the simulator have a default address. */
function requireBaseUrl({ kind, baseUrl }: { kind: string; baseUrl?: string | null }): void {
  if (baseUrl || kind === 'openai' || kind === 'simulator') return;
  const errors = [{ path: '/baseUrl', message: `is required for ${kind}` }];
  throw new Problem('body-invalid', 'The connection has no base URL.', { errors });
}

async function storeSecret(
  { scope, ports }: Work,
  id: string,
  secret: string | null | undefined,
): Promise<void> {
  if (secret === undefined) return;
  const sealed =
    secret === null ? null : ports.secretBox.seal(secret, secretContext.connection(id));
  await setConnectionSecret(scope, id, sealed);
}

function connectionView(record: ConnectionRecord): Connection {
  return {
    ...record,
    kind: record.kind as ConnectionKind,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
