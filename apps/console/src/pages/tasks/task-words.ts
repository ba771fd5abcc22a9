import type { Task } from '@parley/client/server';
import type { Tone } from '../../parts/badge.js';

export const taskStatuses = ['open', 'inProgress', 'done', 'cancelled'] as const;
export type TaskStatus = Task['status'];

export const statusWords: Readonly<Record<TaskStatus, { word: string; tone: Tone }>> = {
  open: { word: 'Open', tone: 'neutral' },
  inProgress: { word: 'In progress', tone: 'accent' },
  done: { word: 'Done', tone: 'ok' },
  cancelled: { word: 'Cancelled', tone: 'neutral' },
};

/** Whether it is past its due time and not finished. */
export function isOverdue({ dueAt, status }: Pick<Task, 'dueAt' | 'status'>, now: number): boolean {
  return (
    dueAt !== null && Date.parse(dueAt) < now && (status === 'open' || status === 'inProgress')
  );
}

/** A time in the format of a browser's field, in the user's time zone: `2026-11-16T09:30`. */
export function localTime(at: string | null): string {
  if (at === null) return '';
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The reverse; null if the field is empty or invalid. */
export function timeOf(local: string): string | null {
  const date = new Date(local);
  return local === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}

export type TaskForm = {
  readonly title: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly due: string;
  readonly agentId: string;
  readonly externalId: string;
};

export function formOf(task: Task | undefined): TaskForm {
  return {
    title: task?.title ?? '',
    description: task?.description ?? '',
    status: task?.status ?? 'open',
    due: localTime(task?.dueAt ?? null),
    agentId: task?.agentId ?? '',
    externalId: task?.externalId ?? '',
  };
}

/** The fields of the form. An unchanged due time keeps its seconds. */
export function fieldsOf(form: TaskForm, before: Task | undefined) {
  const untouched = before !== undefined && form.due === localTime(before.dueAt);
  return {
    title: form.title.trim(),
    description: form.description,
    status: form.status,
    dueAt: untouched ? before.dueAt : timeOf(form.due),
    agentId: form.agentId === '' ? null : form.agentId,
    externalId: form.externalId.trim() === '' ? null : form.externalId.trim(),
  };
}
