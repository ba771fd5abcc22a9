import {
  appendAudit,
  quotaOverrides,
  quotaUse,
  setQuotas,
  type OrganizationScope,
} from '@parley/database';
import { isQuotaName, quotaNames, type QuotaName } from '@parley/protocol';
import { administrator, type Answer, type Command, type Input } from './command.js';
import { organizationOf, required } from './organization-of.js';
import { UsageError } from './usage.js';

export const quotaCommands = {
  'org show': {
    usage: 'org show --org ID',
    doc: 'Show an organization’s quotas, where each comes from, and what is used of it.',
    options: ['org'],
    run: show,
  },
  'org set': {
    usage: 'org set --org ID --quota NAME=VALUE[,NAME=VALUE]',
    doc: `Set quotas of an organization; NAME=default goes back to the deployment’s. Names: ${quotaNames.join(', ')}.`,
    options: ['org', 'quota'],
    run: set,
  },
} as const satisfies Record<string, Command>;

async function set(input: Input): Promise<Answer> {
  const { database, options } = input;
  const changes = changesOf(required(options, 'quota'));
  const organizationId = await organizationOf(database, options);
  await database.asSystem(async (system) => {
    const scope = { organizationId, trx: system.trx };
    const before = await quotaOverrides(scope);
    await setQuotas(system, organizationId, changes);
    await appendAudit(scope, {
      actor: administrator,
      action: 'organization.quotasSet',
      resourceType: 'organization',
      resourceId: organizationId,
      before,
      after: await quotaOverrides(scope),
    });
  });
  return show(input);
}

async function show({ database, options, quotas: defaults }: Input): Promise<Answer> {
  const organizationId = await organizationOf(database, options);
  const rows = await database.asSystem(async ({ trx }) => {
    const scope = { organizationId, trx };
    const overrides = await quotaOverrides(scope);
    return Promise.all(
      quotaNames.map(async (quota) => ({
        quota,
        limit: overrides[quota] ?? defaults[quota],
        from: overrides[quota] === undefined ? 'default' : 'organization',
        used: await useOf(quota, scope),
      })),
    );
  });
  return { json: { id: organizationId, quotas: rows }, rows };
}

/** What is counted per agent has no sum that says anything. */
async function useOf(quota: QuotaName, scope: OrganizationScope): Promise<number | null> {
  return quota === 'mcpServersPerAgent' ? null : quotaUse[quota](scope);
}

const greatest = 1_000_000_000_000_000;

function changesOf(text: string): Map<QuotaName, number | null> {
  return new Map(
    text.split(',').map((change) => {
      const [name = '', value = '', ...more] = change.split('=').map((part) => part.trim());
      if (!isQuotaName(name))
        throw new UsageError(`'${name}' is not a quota. Choose from ${quotaNames.join(', ')}.`);
      const isNumber = /^\d+$/.test(value) && Number(value) <= greatest;
      if (
        more.length > 0 ||
        !change.includes('=') ||
        (!isNumber && !['', 'default'].includes(value))
      )
        throw new UsageError(
          `'${change.trim()}' must be ${name}= and a whole number up to ${greatest}, or default.`,
        );
      return [name, isNumber ? Number(value) : null];
    }),
  );
}
