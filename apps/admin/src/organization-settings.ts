import {
  appendAudit,
  findOrganizationRecord,
  quotaOverrides,
  quotaUse,
  setQuotas,
  updateOrganization,
  type OrganizationScope,
  type SystemScope,
} from '@parley/database';
import { isQuotaName, quotaNames, type QuotaName } from '@parley/protocol';
import { administrator, type Answer, type Command, type Input } from './command.js';
import { organizationOf } from './options.js';
import { UsageError } from './usage.js';

export const organizationSettings = {
  'org show': {
    usage: 'org show --org ID',
    doc: 'Show an organization’s quotas, where each comes from, and its current usage.',
    options: ['org'],
    run: show,
  },
  'org set': {
    usage: 'org set --org ID [--quota NAME=VALUE[,NAME=VALUE]] [--audit-arguments on|off]',
    doc:
      `Override an organization’s quotas; NAME=default restores the deployment’s value. Names: ${quotaNames.join(', ')}. ` +
      'Set whether the audit record of an approval includes the call’s arguments; it always includes their hash.',
    options: ['org', 'quota', 'audit-arguments'],
    run: set,
  },
} as const satisfies Record<string, Command>;

async function set(input: Input): Promise<Answer> {
  const { database, options } = input;
  const quotas = options['quota'] === undefined ? undefined : changesOf(options['quota']);
  const auditArguments = switchOf(options['audit-arguments']);
  if (quotas === undefined && auditArguments === undefined)
    throw new UsageError('Nothing to set: pass --quota or --audit-arguments.');
  const organizationId = await organizationOf(database, options);
  await database.asSystem(async (system) => {
    const before = await settingsOf(system, organizationId);
    if (quotas) await setQuotas(system, organizationId, quotas);
    if (auditArguments !== undefined)
      await updateOrganization(system, organizationId, { auditArguments });
    await appendAudit(
      { organizationId, trx: system.trx },
      {
        actor: administrator,
        action: 'organization.updated',
        resourceType: 'organization',
        resourceId: organizationId,
        before,
        after: await settingsOf(system, organizationId),
      },
    );
  });
  return show(input);
}

async function show({ database, options, quotas: defaults }: Input): Promise<Answer> {
  const organizationId = await organizationOf(database, options);
  const { rows, auditArguments } = await database.asSystem(async (system) => {
    const scope = { organizationId, trx: system.trx };
    const settings = await settingsOf(system, organizationId);
    const rows = await Promise.all(
      quotaNames.map(async (quota) => ({
        quota,
        limit: settings.quotas[quota] ?? defaults[quota],
        from: settings.quotas[quota] === undefined ? 'default' : 'organization',
        used: await useOf(quota, scope),
      })),
    );
    return { rows, auditArguments: settings.auditArguments };
  });
  const note = `Arguments in approval audit records: ${auditArguments ? 'on' : 'off'}`;
  return { json: { id: organizationId, auditArguments, quotas: rows }, rows, note };
}

async function settingsOf(system: SystemScope, organizationId: string) {
  const organization = await findOrganizationRecord(system, organizationId);
  const quotas = await quotaOverrides({ organizationId, trx: system.trx });
  return { auditArguments: organization?.auditArguments ?? false, quotas };
}

/** A quota per agent has no meaningful total. */
async function useOf(quota: QuotaName, scope: OrganizationScope): Promise<number | null> {
  return quota === 'mcpServersPerAgent' ? null : quotaUse[quota](scope);
}

function switchOf(value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off')
    throw new UsageError('--audit-arguments must be on or off.');
  return value === 'on';
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
          `'${change.trim()}' must be ${name}= followed by a whole number up to ${greatest}, or default.`,
        );
      return [name, isNumber ? Number(value) : null];
    }),
  );
}
