import { sql, type Selectable } from 'kysely';
import type { OrganizationScope, SystemScope } from '../postgres/database.js';
import { openerIsOver, type OpenedBy } from '../access/openers.js';
import type { RunTable } from '../postgres/schema.js';

/**
 * A question in progress. Whoever advances it holds its lease and keeps renewing it; every change
 * names the holder, so that one who lost the lease cannot change anything. A run without a holder,
 * because it waits or because the holder died, can be claimed by anybody.
 */
export type NewRun = OpenedBy & {
  /** The id that the message of the answer will have. */
  id: string;
  agentId: string;
  conversationId: string;
  run: unknown;
  watcher: string | null;
  owner: string;
  leaseMs: number;
};

export type RunRecord = Omit<Selectable<RunTable>, 'organizationId' | 'keyId' | 'memberId'>;
/** What its holder has to know. */
export type LeasedRun = Pick<
  RunRecord,
  'id' | 'agentId' | 'conversationId' | 'watcher' | 'takeovers' | 'run'
> & { organizationId: string; owner: string };

const columns = [
  'id',
  'agentId',
  'conversationId',
  'state',
  'run',
  'failure',
  'waitingFor',
  'watcher',
  'owner',
  'leaseUntil',
  'takeovers',
  'createdAt',
  'updatedAt',
] as const;

const now = sql<Date>`now()`;
const leaseFor = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1000})`;

export async function insertRun(
  { organizationId, trx }: OrganizationScope,
  { leaseMs, run, ...fields }: NewRun,
): Promise<void> {
  await trx
    .insertInto('runs')
    .values({
      ...fields,
      organizationId,
      state: 'open',
      run: JSON.stringify(run),
      leaseUntil: leaseFor(leaseMs),
    })
    .execute();
}

export async function findRun(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<RunRecord | undefined> {
  return trx
    .selectFrom('runs')
    .select(columns)
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The model's answer; undefined until there is one. */
export async function findAnswer(
  { organizationId, trx }: OrganizationScope,
  runId: string,
): Promise<string | undefined> {
  const message = await trx
    .selectFrom('messages')
    .select('content')
    .where('organizationId', '=', organizationId)
    .where('id', '=', runId)
    .executeTakeFirst();
  return message?.content;
}

export type RunClaim = {
  owner: string;
  leaseMs: number;
  /** How many runs of one organization may be in progress, unless it has its own quota. */
  maxOpen: number;
  /** The newest version of a stored run that the claimer reads. */
  readsVersion: number;
};

/**
 * Takes the lease of a run that nobody holds. Undefined if somebody does, if it is over or deleted,
 * if its opener is no longer allowed, if its organization is at its limit, or if a newer process
 * stored it.
 */
export async function claimRun(
  { trx }: SystemScope,
  id: string,
  { owner, leaseMs, maxOpen, readsVersion }: RunClaim,
): Promise<LeasedRun | undefined> {
  const claimed = await trx
    .updateTable('runs')
    .set((eb) => ({
      owner,
      leaseUntil: leaseFor(leaseMs),
      updatedAt: now,
      takeovers: eb('takeovers', '+', eb.case().when('state', '=', 'open').then(1).else(0).end()),
      state: 'open',
    }))
    .where('id', '=', id)
    .where('state', 'in', ['open', 'waiting'])
    .where((eb) => eb.or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<', now)]))
    .where(sql<boolean>`not ${openerIsOver('runs')}`)
    .where(hasRoom(maxOpen))
    .where(sql<boolean>`coalesce(${storedVersion}, 0) <= ${readsVersion}`)
    .returning([...columns, 'organizationId'])
    .executeTakeFirst();
  return claimed && { ...claimed, owner };
}

/**
 * The last field of a stored run. Its text is read, because `->>` fails if a character anywhere in
 * the run is none that PostgreSQL's own text can contain.
 */
const storedVersion = sql<number>`substring(right(run::text, 40) from '"version":\\s*(\\d+)\\s*\\}\\s*$')::integer`;

/** Whether a question in a conversation is not over. */
export const hasOpenRun = sql<boolean>`exists (
  select from runs where runs.conversation_id = conversations.id and runs.state in ('open', 'waiting'))`;

const hasRoom = (maxOpen: number) => sql<boolean>`(
  select count(*) from runs other
  where other.organization_id = runs.organization_id and other.state = 'open' and other.lease_until > now()
) < coalesce(
  (select value from organization_quotas q where q.organization_id = runs.organization_id and q.quota = 'questions'),
  ${maxOpen})`;

type Held = Pick<LeasedRun, 'id' | 'owner'>;

/** A change that only the holder can make. */
export function held({ organizationId, trx }: OrganizationScope, { id, owner }: Held) {
  return trx
    .updateTable('runs')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where('owner', '=', owner)
    .returning('id');
}

/** False if the lease now belongs to somebody else, or the run is gone. */
export async function renewRun(
  scope: OrganizationScope,
  lease: Held,
  leaseMs: number,
): Promise<boolean> {
  const set = { leaseUntil: leaseFor(leaseMs) };
  return (await held(scope, lease).set(set).executeTakeFirst()) !== undefined;
}

/** Stores the progress: whoever takes it over starts here. */
export async function checkpointRun(
  scope: OrganizationScope,
  lease: Held,
  run: unknown,
): Promise<boolean> {
  const set = { run: JSON.stringify(run), updatedAt: now };
  return (await held(scope, lease).set(set).executeTakeFirst()) !== undefined;
}

/** Suspends the run, without a holder, until one of these approvals is decided. */
export async function suspendRun(
  scope: OrganizationScope,
  lease: Held,
  { run, waitingFor }: { run: unknown; waitingFor: readonly string[] },
): Promise<boolean> {
  const suspended = await held(scope, lease)
    .set({
      state: 'waiting',
      run: JSON.stringify(run),
      waitingFor: [...waitingFor],
      owner: null,
      leaseUntil: null,
      updatedAt: now,
    })
    .executeTakeFirst();
  return suspended !== undefined;
}

const decided = sql<boolean>`(state = 'waiting' and exists (
  select from tool_calls where tool_calls.id = any(runs.waiting_for) and tool_calls.approval <> 'waiting'))`;
const abandoned = sql<boolean>`(state = 'open' and lease_until < now())`;

/** Runs that are due and that nobody advances, taking organizations in turn. */
export async function dueRuns({ trx }: SystemScope, limit: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('runs')
    .select('id')
    .where('state', 'in', ['open', 'waiting'])
    .where(sql<boolean>`(${decided} or ${abandoned})`)
    .orderBy(sql`row_number() over (partition by organization_id order by updated_at)`)
    .orderBy('updatedAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function organizationOfRun(
  { trx }: SystemScope,
  id: string,
): Promise<string | undefined> {
  const run = await trx
    .selectFrom('runs')
    .select('organizationId')
    .where('id', '=', id)
    .executeTakeFirst();
  return run?.organizationId;
}

/** Whether one of its approvals was decided while it was being suspended. */
export async function isRunDue(
  { organizationId, trx }: OrganizationScope,
  id: string,
): Promise<boolean> {
  const row = await trx
    .selectFrom('runs')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .where(decided)
    .executeTakeFirst();
  return row !== undefined;
}

export type WaitingRunCall = {
  id: string;
  callId: string;
  name: string;
  arguments: unknown;
  deadline: Date;
};

/** The decisions that a run waits for. */
export async function waitingCallsOfRun(
  { organizationId, trx }: OrganizationScope,
  runId: string,
): Promise<WaitingRunCall[]> {
  return trx
    .selectFrom('toolCalls')
    .select(['id', 'callId', 'name', 'arguments'])
    .select((eb) => eb.ref('deadline').$notNull().as('deadline'))
    .where('organizationId', '=', organizationId)
    .where('runId', '=', runId)
    .where('approval', '=', 'waiting')
    .where('deadline', 'is not', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}
