import type { TaskFields, TaskRecord } from '@parley/database';
import { TaskInput, withDefaults, type Task, type TaskPatch } from '@parley/protocol';

export function taskView(record: TaskRecord): Task {
  return {
    ...record,
    metadata: record.metadata as Task['metadata'],
    dueAt: record.dueAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function newTaskFields(input: TaskInput): TaskFields {
  const fields = withDefaults(TaskInput, input) as Required<TaskInput>;
  return {
    ...fields,
    dueAt: instant(fields.dueAt),
    agentId: id(fields.agentId),
    conversationId: id(fields.conversationId),
  };
}

export function changedTaskFields(record: TaskRecord, patch: TaskPatch): TaskFields {
  const { id: _, version, createdAt, updatedAt, ...before } = record;
  const { dueAt, agentId, conversationId, ...changes } = patch;
  return {
    ...before,
    ...changes,
    ...(dueAt !== undefined && { dueAt: instant(dueAt) }),
    ...(agentId !== undefined && { agentId: id(agentId) }),
    ...(conversationId !== undefined && { conversationId: id(conversationId) }),
  };
}

function instant(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** Ids are compared as text, so they are written in one spelling. */
function id(text: string | null): string | null {
  return text?.toLowerCase() ?? null;
}
