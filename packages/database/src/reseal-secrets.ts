import { sql } from 'kysely';
import type { Actor } from '@parley/protocol';
import { appendAudit } from './audit.js';
import type { Database, OrganizationScope, SystemScope } from './database.js';
import { secretContext, SecretUnreadable, type SecretBox } from './secret-box.js';

type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** The table's primary key. Its values are what the context is made of. */
  readonly key: readonly [string] | readonly [string, string];
};

export type SealedKind = keyof typeof secretContext;

/** Where every sealed value stands. */
const sealedColumns: Record<SealedKind, SealedColumn> = {
  connection: { table: 'connections', column: 'secret', key: ['id'] },
  agent: { table: 'agent_secrets', column: 'secret', key: ['agent_id', 'name'] },
  webhook: { table: 'webhooks', column: 'secret', key: ['id'] },
  answer: { table: 'idempotency_keys', column: 'answer', key: ['organization_id', 'key'] },
};

const sealedKinds = Object.keys(sealedColumns) as SealedKind[];

/** `changed`: somebody else wrote or deleted it meanwhile, and that stands. */
export type ResealCounts = Record<'resealed' | 'current' | 'changed' | 'unreadable', number>;

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
 * Seals with the current key whatever is sealed with another. Each value is a transaction of its own, and is replaced only if it still is what
 * was read: nobody waits long, nothing that is written meanwhile is lost, and a walk that breaks off goes on when it is repeated.
 */
export async function resealSecrets(options: ResealOptions): Promise<ResealReport> {
  const unreadable: ResealReport['unreadable'] = [];
  const countKind = async (kind: SealedKind): Promise<[SealedKind, ResealCounts]> => {
    const counts: ResealCounts = { resealed: 0, current: 0, changed: 0, unreadable: 0 };
    for await (const value of valuesOf(options.database, sealedColumns[kind])) {
      const outcome = await resealValue(options, kind, value);
      counts[outcome] += 1;
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

/** Batch by batch in the order of the primary key, with no transaction open in between. */
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
): Promise<keyof ResealCounts> {
  const fresh = freshlySealed(secretBox, kind, value);
  if (fresh === 'current' || fresh === 'unreadable') return fresh;
  return database.inOrganization(value.organizationId, async (scope) => {
    if (!(await replaceValue(scope, sealedColumns[kind], { ...value, fresh }))) return 'changed';
    if (kind !== 'answer') await recordReseal(scope, kind, { actor, place: value.place });
    return 'resealed';
  });
}

function freshlySealed(
  secretBox: SecretBox,
  kind: SealedKind,
  { place, sealed }: SealedValue,
): Buffer | 'current' | 'unreadable' {
  try {
    return secretBox.reseal(sealed, contextOf(kind, place)) ?? 'current';
  } catch (error) {
    if (error instanceof SecretUnreadable) return 'unreadable';
    throw error;
  }
}

/** Whether it still was what was read. */
async function replaceValue(
  { organizationId, trx }: OrganizationScope,
  { table, column, key }: SealedColumn,
  { place, sealed, fresh }: SealedValue & { fresh: Buffer },
): Promise<boolean> {
  const ref = sql.ref(column);
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const { numAffectedRows } = await sql`
    update ${sql.table(table)} set ${ref} = ${fresh}
    where organization_id = ${organizationId} and (${columns}) = (${sql.join(place)})
      and ${ref} = ${sealed}`.execute(trx);
  return numAffectedRows === 1n;
}

async function recordReseal(
  scope: OrganizationScope,
  resourceType: SealedKind,
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
