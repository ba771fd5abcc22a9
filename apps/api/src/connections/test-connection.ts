import {
  findConnection,
  findConnectionSecret,
  secretContext,
  SecretUnreadable,
  type ConnectionRecord,
  type Database,
  type OrganizationScope,
  type SecretBox,
} from '@parley/database';
import type { Egress } from '@parley/egress';
import type { ConnectionKind } from '@parley/protocol';
import {
  checkConnection,
  connectionFor,
  type ConnectionCheck,
  type ProviderConnection,
} from '@parley/providers';
import type { Handlers } from '../http/call.js';
import { found } from '../http/found.js';

export type ConnectionTestPorts = {
  database: Database;
  secretBox: SecretBox;
  egress: Pick<Egress, 'check' | 'lookup' | 'fetch'>;
  defaultConnection: ProviderConnection | undefined;
  defaultModel: string;
};

const timeoutMs = 10_000;

/** Dials a provider without an open transaction. */
export function connectionTestOperations(
  ports: ConnectionTestPorts,
): Pick<Handlers, 'testConnection'> {
  return {
    testConnection: {
      async run({ caller, params: { connectionId }, commit }) {
        const stored = await ports.database.inOrganization(caller.organizationId, (scope) =>
          load(scope, connectionId, ports.secretBox),
        );
        const startedAt = performance.now();
        const { ok, detail } = await test(stored, ports);
        const durationMs = Math.round(performance.now() - startedAt);
        return commit(() => Promise.resolve({ ok, detail, durationMs }));
      },
    },
  };
}

type Stored = { record: ConnectionRecord; secret: string | null; readable: boolean };

async function load(scope: OrganizationScope, id: string, box: SecretBox): Promise<Stored> {
  const record = found(await findConnection(scope, id));
  const sealed = await findConnectionSecret(scope, id);
  try {
    const secret = sealed && box.open(sealed, secretContext.connection(id));
    return { record, secret, readable: true };
  } catch (error) {
    if (error instanceof SecretUnreadable) return { record, secret: null, readable: false };
    throw error;
  }
}

async function test(
  { record, secret, readable }: Stored,
  { egress, defaultConnection, defaultModel }: ConnectionTestPorts,
): Promise<ConnectionCheck> {
  if (!readable) return { ok: false, detail: 'The stored secret cannot be read. Set it again.' };
  const { baseUrl, models, realtime } = record;
  const own = { kind: record.kind as ConnectionKind, baseUrl, secret };
  const connection = connectionFor(own, defaultConnection) ?? own;
  const offered = models.length === 0 || models.includes(defaultModel);
  return checkConnection(connection, {
    realtimeModel: realtime ? (offered ? defaultModel : (models[0] ?? defaultModel)) : null,
    egress: connection === defaultConnection ? undefined : egress,
    timeoutMs,
  });
}
