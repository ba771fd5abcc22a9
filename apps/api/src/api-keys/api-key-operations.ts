import {
  appendAudit,
  insertApiKey,
  listApiKeyPage,
  lockApiKey,
  revokeApiKey,
  updateApiKey,
  type ApiKeyRecord,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import {
  ApiKeyInput,
  Problem,
  withDefaults,
  type ApiKey,
  type ApiKeyPatch,
  type NewApiKey,
  type Scope,
} from '@parley/protocol';
import type { ChangedKeys } from '@parley/session-store';
import type { Caller, Handlers, Target } from '../http/call.js';
import { found } from '../http/found.js';
import { pageOf } from '../http/query.js';

type ApiKeyHandlers = Pick<
  Handlers,
  'listApiKeys' | 'createApiKey' | 'updateApiKey' | 'deleteApiKey'
>;

type Work = { scope: OrganizationScope; caller: Caller };

export type ApiKeyPorts = { database: Database; changedKeys: ChangedKeys };

export function apiKeyOperations({ database, changedKeys }: ApiKeyPorts): ApiKeyHandlers {
  const change = <T>(caller: Caller, work: (work: Work) => Promise<T>) =>
    database.inOrganization(caller.organizationId, (scope) => work({ scope, caller }));
  const changeKnown = async <T>(
    { caller, params: { keyId } }: Target<'updateApiKey'>,
    work: (work: Work) => Promise<T>,
  ) => {
    const answer = await change(caller, work);
    await changedKeys.note(keyId);
    return answer;
  };
  const visible = ({ caller, params }: Target<'updateApiKey'>) =>
    change(caller, async ({ scope }) => (await lockApiKey(scope, params.keyId)) !== undefined);
  return {
    listApiKeys: {
      run: ({ caller, query }) =>
        database.inSnapshot(caller.organizationId, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listApiKeyPage(scope, page);
          return { items: items.map(apiKeyView), total, ...page };
        }),
    },
    createApiKey: {
      run: ({ caller, body, commit }) => commit((scope) => create({ scope, caller }, body)),
    },
    updateApiKey: {
      visible,
      run: (call) => changeKnown(call, (work) => update(work, call.params.keyId, call.body)),
    },
    deleteApiKey: {
      run: (call) => changeKnown(call, (work) => revoke(work, call.params.keyId)),
    },
  };
}

async function create(work: Work, input: ApiKeyInput): Promise<NewApiKey> {
  const { name, scopes, expiresAt } = withDefaults(ApiKeyInput, input) as Required<ApiKeyInput>;
  requireOwnScopes(work.caller, scopes);
  const { record, key } = await insertApiKey(work.scope, {
    organizationId: work.scope.organizationId,
    name,
    scopes,
    expiresAt: futureDate(expiresAt),
  });
  const after = apiKeyView(record);
  await audit(work, 'created', { after });
  return { ...after, apiKey: key };
}

async function update(work: Work, id: string, changes: ApiKeyPatch): Promise<ApiKey> {
  const { name, scopes, expiresAt } = changes;
  const record = found(await lockApiKey(work.scope, id));
  if (record.revokedAt) throw new Problem('conflict', 'The key was revoked. Create a new one.');
  // Any scope may be removed, but only scopes of the caller may be added.
  requireOwnScopes(
    work.caller,
    (scopes ?? []).filter((scope) => !record.scopes.includes(scope)),
  );
  const after = apiKeyView(
    await updateApiKey(work.scope, {
      id,
      ...(name !== undefined && { name }),
      ...(scopes !== undefined && { scopes }),
      ...(expiresAt !== undefined && { expiresAt: futureDate(expiresAt) }),
    }),
  );
  await audit(work, 'updated', { before: apiKeyView(record), after });
  return after;
}

/** What it has opened ends with it; everyone who checks PostgreSQL finds out. */
async function revoke(work: Work, id: string): Promise<undefined> {
  const before = found(await lockApiKey(work.scope, id));
  if (before.revokedAt) return undefined;
  await revokeApiKey(work.scope, id);
  const after = found(await lockApiKey(work.scope, id));
  await audit(work, 'revoked', { before: apiKeyView(before), after: apiKeyView(after) });
  return undefined;
}

function requireOwnScopes({ scopes: own }: Caller, given: readonly Scope[]): void {
  const lacking = given.find((scope) => !own.includes(scope));
  if (lacking !== undefined)
    throw new Problem(
      'scope-missing',
      `You cannot grant the scope '${lacking}': your key does not have it.`,
    );
}

function futureDate(text: string | null): Date | null {
  if (text === null) return null;
  const date = new Date(text);
  if (date > new Date()) return date;
  throw new Problem('body-invalid', 'The expiry is in the past.', {
    errors: [{ path: '/expiresAt', message: 'must be in the future' }],
  });
}

function apiKeyView({ organizationId: _, ...record }: ApiKeyRecord): ApiKey {
  return {
    ...record,
    createdAt: record.createdAt.toISOString(),
    expiresAt: record.expiresAt?.toISOString() ?? null,
    lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
    revokedAt: record.revokedAt?.toISOString() ?? null,
  };
}

async function audit(
  { scope, caller }: Work,
  change: 'created' | 'updated' | 'revoked',
  states: { before?: ApiKey; after: ApiKey },
): Promise<void> {
  await appendAudit(scope, {
    actor: caller.actor,
    action: `key.${change}`,
    resourceType: 'key',
    resourceId: states.after.id,
    ...states,
  });
}
