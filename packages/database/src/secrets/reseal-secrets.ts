import { sql } from 'kysely';
import type { Actor } from '@parley/protocol';
import { appendAudit } from '../audit/audit.js';
import type { Database, OrganizationScope, SystemScope } from '../postgres/database.js';
import { secretContext, SecretUnreadable, type SecretBox } from './secret-box.js';

type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The table's primary key, whose values make up the context. */
  readonly key: readonly [string] | readonly [string, string];
};

export type SealedKind = keyof typeof secretContext;

/** All columns with sealed values. */
const sealedColumns: Record<SealedKind, SealedColumn> = {
  connection: { table: 'connections', column: 'secret', key: ['id'] },
  agent: { table: 'agent_secrets', column: 'secret', key: ['agent_id', 'name'] },
  webhook: { table: 'webhooks', column: 'secret', key: ['id'] },
  answer: { table: 'idempotency_keys', column: 'answer', key: ['organization_id', 'key'] },
};

const sealedKinds = Object.keys(sealedColumns) as SealedKind[];

export type ResealCounts = Record<'resealed' | 'current' | 'unreadable', number>;

export type ResealReport = {
  counts: Record<SealedKind, ResealCounts>;
  /** The first hundred, by their contexts, such as agent/ID/NAME. */
  unreadable: { organizationId: string; secret: string }[];
};

export type ResealOptions = { database: Database; secretBox: SecretBox; actor: Actor };

type Place = [string] | [string, string];
type SealedValue = { organizationId: string; place: Place; sealed: Buffer };

const batch = 100;
const mostNamed = 100;

/**
 * Seals everything that is sealed with another key with the current one. Each value has its own
 * transaction, which locks nothing else: nobody waits long or deadlocks, no concurrent write is
 * lost, and an interrupted run continues when it is repeated.
 */
export async function resealSecrets(options: ResealOptions): Promise<ResealReport> {
  const unreadable: ResealReport['unreadable'] = [];
  const countKind = async (kind: SealedKind): Promise<[SealedKind, ResealCounts]> => {
    const counts: ResealCounts = { resealed: 0, current: 0, unreadable: 0 };
    for await (const value of valuesOf(options.database, sealedColumns[kind])) {
      const outcome = await resealValue(options, kind, value);
      if (outcome !== 'gone') counts[outcome] += 1;
      if (outcome === 'unreadable' && unreadable.length < mostNamed)
        unreadable.push({
          organizationId: value.organizationId,
          secret: contextOf(kind, value.place),
        });
    }
    return [kind, counts];
  };
  const counts: [SealedKind, ResealCounts][] = [];
  for (const kind of sealedKinds) counts.push(await countKind(kind));
  return { counts: Object.fromEntries(counts) as ResealReport['counts'], unreadable };
}

/** In batches, in the order of the primary key, without an open transaction in between. */
async function* valuesOf(database: Database, column: SealedColumn): AsyncGenerator<SealedValue> {
  let after: Place | undefined;
  for (;;) {
    const values = await database.asSystem((system) => nextValues(system, column, after));
    yield* values;
    after = values.at(-1)?.place;
    if (values.length < batch) return;
  }
}

async function nextValues(
  { trx }: SystemScope,
  { table, column, key }: SealedColumn,
  after: Place | undefined,
): Promise<SealedValue[]> {
  const sealed = sql.ref(column);
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const place = sql.join(key.map((name) => sql`${sql.ref(name)}::text`));
  const beyond = after ? sql`(${columns}) > (${sql.join(after)})` : sql`true`;
  const { rows } = await sql<SealedValue>`
    select organization_id, array[${place}] as place, ${sealed} as sealed
    from ${sql.table(table)} where ${sealed} is not null and ${beyond}
    order by ${columns} limit ${batch}`.execute(trx);
  return rows;
}

async function resealValue(
  { database, secretBox, actor }: ResealOptions,
  kind: SealedKind,
  value: SealedValue,
): Promise<keyof ResealCounts | 'gone'> {
  const column = sealedColumns[kind];
  const { organizationId, place } = value;
  const freshly = (sealed: Buffer) => freshlySealed(secretBox, sealed, contextOf(kind, place));
  const outdated = freshly(value.sealed);
  if (!Buffer.isBuffer(outdated)) return outdated;
  return database.inOrganization(organizationId, async (scope) => {
    // The value may have changed since it was read; from now on it cannot.
    const sealed = await lockValue(scope, column, place);
    const fresh = sealed ? freshly(sealed) : 'gone';
    if (!Buffer.isBuffer(fresh)) return fresh;
    await replaceValue(scope, column, { place, sealed: fresh });
    if (kind !== 'answer') await recordReseal(scope, kind, { actor, place });
    return 'resealed';
  });
}

function freshlySealed(
  secretBox: SecretBox,
  sealed: Buffer,
  context: string,
): Buffer | 'current' | 'unreadable' {
  try {
    return secretBox.reseal(sealed, context) ?? 'current';
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'unreadable';
    throw error;
  }
}

async function lockValue(
  scope: OrganizationScope,
  column: SealedColumn,
  place: Place,
): Promise<Buffer | null | undefined> {
  const { rows } = await sql<{ sealed: Buffer | null }>`
    select ${sql.ref(column.column)} as sealed from ${sql.table(column.table)}
    where ${isAt(scope, column, place)} for no key update`.execute(scope.trx);
  return rows[0]?.sealed;
}

async function replaceValue(
  scope: OrganizationScope,
  column: SealedColumn,
  { place, sealed }: Pick<SealedValue, 'place' | 'sealed'>,
): Promise<void> {
  await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${sealed}
    where ${isAt(scope, column, place)}`.execute(scope.trx);
}

function isAt({ organizationId }: OrganizationScope, { key }: SealedColumn, place: Place) {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  return sql`organization_id = ${organizationId} and (${columns}) = (${sql.join(place)})`;
}

async function recordReseal(
  scope: OrganizationScope,
  resourceType: Exclude<SealedKind, 'answer'>,
  { actor, place: [resourceId, name] }: { actor: Actor; place: Place },
): Promise<void> {
  await appendAudit(scope, {
    actor,
    action: `${resourceType}.resealed`,
    resourceType,
    resourceId,
    ...(name !== undefined && { after: { secretNames: [name] } }),
  });
}

function contextOf(kind: SealedKind, [first, second = '']: Place): string {
  return secretContext[kind](first, second);
}
