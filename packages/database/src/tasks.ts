import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { FieldError, TaskStatus } from '@parley/protocol';
import { holdAgents } from './agents/agents.js';
import { canonicalJson } from './audit/canonical-json.js';
import { holdConversation } from './conversations/conversations.js';
import type { OrganizationScope } from './postgres/database.js';
import {
  idsAmong,
  leadingRows,
  longPage,
  withoutSizes,
  type LongPage,
  type PageIds,
} from './postgres/long-rows.js';
import type { PageRequest } from './postgres/page.js';
import type { TaskTable } from './postgres/schema.js';
import { announceEvent } from './webhooks/webhook-deliveries.js';

export type TaskRecord = Omit<Selectable<TaskTable>, 'organizationId' | 'writtenIn'>;

export type TaskFields = Omit<TaskRecord, 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/**
 * Where the text of a change comes from: a conversation, through its agent; or `anew`, which
 * replaces all text, so that none of a conversation is left.
 */
export type TaskWriter = { readonly conversationId: string } | 'anew' | 'unchanged';

/** Omitted fields do not filter. */
export type TaskFilter = {
  status?: TaskStatus | undefined;
  agentId?: string | undefined;
  externalId?: string | undefined;
  dueBefore?: Date | undefined;
};

export type TaskLinks = Pick<TaskRecord, 'agentId' | 'conversationId'>;

const columns = [
  'tasks.id',
  'tasks.title',
  'tasks.description',
  'tasks.status',
  'tasks.dueAt',
  'tasks.agentId',
  'tasks.conversationId',
  'tasks.externalId',
  'tasks.metadata',
  'tasks.version',
  'tasks.createdAt',
  'tasks.updatedAt',
] as const;

/** Undefined if the organization already has a task with this externalId. */
export async function createTask(
  scope: OrganizationScope,
  fields: TaskFields,
  writer: TaskWriter = 'anew',
): Promise<TaskRecord | undefined> {
  const { organizationId, trx } = scope;
  const created = await trx
    .insertInto('tasks')
    .values({
      ...fields,
      organizationId,
      metadata: JSON.stringify(fields.metadata),
      writtenIn: typeof writer === 'object' ? [writer.conversationId] : [],
    })
    .onConflict((conflict) => conflict.columns(['organizationId', 'externalId']).doNothing())
    .returning(columns)
    .executeTakeFirst();
  if (created) await announce(scope, 'created', created);
  return created;
}

/** Undefined if there is no such task. An externalId of another task violates `taskExternalId`. */
export async function updateTask(
  scope: OrganizationScope,
  { id, ...fields }: TaskFields & { id: string },
  writer: TaskWriter = 'unchanged',
): Promise<TaskRecord | undefined> {
  const updated = await scope.trx
    .updateTable('tasks')
    .set({
      ...fields,
      metadata: JSON.stringify(fields.metadata),
      ...(writer === 'anew' && { writtenIn: [] }),
      ...(typeof writer === 'object' && { writtenIn: alsoIn(writer.conversationId) }),
      version: sql`version + 1`,
      updatedAt: sql`now()`,
    })
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  if (updated) await announce(scope, 'updated', updated);
  return updated;
}

function alsoIn(conversationId: string) {
  return sql<
    string[]
  >`array_append(array_remove(written_in, ${conversationId}::uuid), ${conversationId}::uuid)`;
}

const deletedText = { title: 'Deleted with its conversation', description: '' };

/**
 * Removes these conversations from the tasks that refer to them, and the text that agents wrote in
 * them. The tasks are kept.
 */
export async function forgetInTasks(
  scope: OrganizationScope,
  conversationIds: readonly string[],
): Promise<void> {
  const ids = sql`${conversationIds}::uuid[]`;
  const [refers, written] = [
    sql<boolean>`conversation_id = any(${ids})`,
    sql<boolean>`written_in && ${ids}`,
  ];
  const changed = await scope.trx
    .updateTable('tasks')
    .set({
      title: sql`case when ${written} then ${deletedText.title} else title end`,
      description: sql`case when ${written} then ${deletedText.description} else description end`,
      writtenIn: sql`case when ${written} then '{}' else written_in end`,
      conversationId: sql`case when ${refers} then null else conversation_id end`,
      version: sql`version + 1`,
      updatedAt: sql`now()`,
    })
    .where('organizationId', '=', scope.organizationId)
    .where((eb) => eb.or([written, refers]))
    .returning(columns)
    .execute();
  for (const task of changed) await announce(scope, 'updated', task);
}

/**
 * A task for the audit log: its text, which may repeat what somebody said and must be deletable, is
 * replaced by a hash.
 */
export function auditedTask<Task extends Pick<TaskRecord, 'title' | 'description' | 'metadata'>>({
  title,
  description,
  metadata,
  ...task
}: Task) {
  const text = canonicalJson({ title, description, metadata });
  return { ...task, textHash: createHash('sha256').update(text).digest('hex') };
}

/** The next tasks that refer to a conversation, by id. */
export async function nextTasks(
  scope: OrganizationScope,
  conversationId: string,
  { after, limit }: { after: string; limit: number },
): Promise<TaskRecord[]> {
  const tasks = ownTasks(scope)
    .select(columns)
    .where('conversationId', '=', conversationId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
  const rows = await leadingRows(scope.trx, tasks, { orderedBy: ['id'], long }).execute();
  return rows.map(withoutSizes);
}

/** The constraint that keeps an externalId unique in its organization. */
export const taskExternalId = 'tasks_organization_id_external_id_key';

export async function findTask(
  scope: OrganizationScope,
  id: string,
): Promise<TaskRecord | undefined> {
  return ownTasks(scope).select(columns).where('id', '=', id).executeTakeFirst();
}

/** For a change or deletion: nobody else can change the task until the transaction ends. */
export async function lockTask(
  scope: OrganizationScope,
  by: { id: string } | { externalId: string },
): Promise<TaskRecord | undefined> {
  const [column, value] =
    'id' in by ? (['id', by.id] as const) : (['externalId', by.externalId] as const);
  return ownTasks(scope).select(columns).where(column, '=', value).forUpdate().executeTakeFirst();
}

/** Whether there was such a task. */
export async function deleteTask(scope: OrganizationScope, id: string): Promise<boolean> {
  const deleted = await scope.trx
    .deleteFrom('tasks')
    .where('organizationId', '=', scope.organizationId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
  if (deleted) await announce(scope, 'deleted', deleted);
  return deleted !== undefined;
}

async function announce(
  scope: OrganizationScope,
  change: 'created' | 'updated' | 'deleted',
  { id, externalId, status, version, agentId, conversationId }: TaskRecord,
): Promise<void> {
  const data = { id, change, externalId, status, version, agentId, conversationId };
  await announceEvent(scope, 'task.changed', data);
}

export async function listTasks(
  scope: OrganizationScope,
  filter: TaskFilter,
  page: PageRequest,
): Promise<LongPage<TaskRecord>> {
  const list = ownTasks(scope, filter);
  return longPage(list, { orderedBy: 'createdAt', ...page }, (ids) => tasksIn(scope, ids));
}

/** The leading tasks of those with the given ids, which may have been deleted since. */
export async function tasksByIds(
  scope: OrganizationScope,
  ids: readonly string[],
): Promise<TaskRecord[]> {
  return tasksIn(scope, idsAmong(ownTasks(scope), ids));
}

async function tasksIn(scope: OrganizationScope, ids: PageIds): Promise<TaskRecord[]> {
  const tasks = scope.trx
    .selectFrom('tasks')
    .innerJoin(ids.as('page'), 'page.id', 'tasks.id')
    .select(columns);
  const orderedBy = ['createdAt', 'id'] as const;
  const rows = await leadingRows(scope.trx, tasks, { orderedBy, long }).execute();
  return rows.map(withoutSizes);
}

const long = ['description', 'metadata'] as const;

/**
 * What is wrong with the agent and the conversation of a task. Values from `before` stay
 * acceptable, because an agent may have been deleted since. Neither can be deleted until the
 * transaction ends.
 */
export async function taskLinkErrors(
  scope: OrganizationScope,
  { agentId, conversationId }: TaskLinks,
  before: TaskLinks = { agentId: null, conversationId: null },
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  if (agentId !== null && agentId !== before.agentId) {
    const held = await holdAgents(scope, [agentId]);
    if (!held.has(agentId))
      errors.push({ path: '/agentId', message: 'must be an agent of this organization' });
  }
  if (conversationId === null) return errors;
  const conversation = await holdConversation(scope, conversationId);
  if (!conversation)
    errors.push({
      path: '/conversationId',
      message: 'must be a conversation of this organization',
    });
  else if (agentId !== null && conversation.agentId !== agentId)
    errors.push({ path: '/conversationId', message: 'belongs to another agent' });
  return errors;
}

function ownTasks(
  { organizationId, trx }: OrganizationScope,
  { status, agentId, externalId, dueBefore }: TaskFilter = {},
) {
  return trx
    .selectFrom('tasks')
    .where('organizationId', '=', organizationId)
    .where((eb) =>
      eb.and([
        ...(status === undefined ? [] : [eb('status', '=', status)]),
        ...(agentId === undefined ? [] : [eb('agentId', '=', agentId)]),
        ...(externalId === undefined ? [] : [eb('externalId', '=', externalId)]),
        ...(dueBefore === undefined ? [] : [eb('dueAt', '<', dueBefore)]),
      ]),
    );
}
