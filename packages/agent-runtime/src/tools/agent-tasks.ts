import {
  appendAudit,
  auditedTask,
  createTask,
  lockTask,
  updateTask,
  type Transactor,
  type OrganizationScope,
  type TaskRecord,
} from '@parley/database';
import type { TaskAuthor, Tasks } from './builtin-tools.js';

/**
 * Tasks that agents create and change: they name the agent and the conversation, and the audit log
 * names the agent as the actor.
 */
export function agentTasks(database: Transactor): Tasks {
  const inScope = <T>({ place }: TaskAuthor, work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(place.organizationId, work);
  return {
    create: (by, { title, description = '', status = 'open', dueAt = null }) =>
      inScope(by, async (scope) => {
        const links = { agentId: by.agent.id, conversationId: by.place.conversationId };
        const written = { title, description, status, dueAt, externalId: null, metadata: {} };
        const after = await createTask(scope, { ...written, ...links }, writerOf(by) ?? 'anew');
        if (!after) throw new Error('A task without an external id met another one.');
        await audit(scope, by, { action: 'task.created', after });
        return after;
      }),
    update: (by, id, change) =>
      inScope(by, async (scope) => {
        const before = await lockTask(scope, { id });
        if (!before) return undefined;
        const { version, createdAt, updatedAt, ...fields } = before;
        const says = change.title !== undefined || change.description !== undefined;
        const writer = (says ? writerOf(by) : undefined) ?? 'unchanged';
        const after = await updateTask(scope, { ...fields, ...change }, writer);
        if (after) await audit(scope, by, { action: 'task.updated', before, after });
        return after;
      }),
  };
}

function writerOf({ place: { conversationId } }: TaskAuthor) {
  return conversationId === null ? undefined : { conversationId };
}

function audit(
  scope: OrganizationScope,
  { agent }: TaskAuthor,
  {
    action,
    before,
    after,
  }: { action: 'task.created' | 'task.updated'; before?: TaskRecord; after: TaskRecord },
): Promise<void> {
  const actor = { kind: 'agent' as const, id: agent.id, name: agent.name };
  return appendAudit(scope, {
    actor,
    action,
    resourceType: 'task',
    resourceId: after.id,
    ...(before && { before: auditedTask(before) }),
    after: auditedTask(after),
  });
}
