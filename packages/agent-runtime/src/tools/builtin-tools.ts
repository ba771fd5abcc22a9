import {
  builtinTools,
  isUuid,
  taskStatuses,
  type BuiltinTool,
  type TaskStatus,
  type Tool,
} from '@parley/protocol';
import type { ToolPlace } from '../calls/call.js';
import { commonOf, ToolFailure, type BoundTool } from './tool.js';

/** What built-in tools need from the record. */
export type BuiltinPorts = {
  readonly tasks: Tasks;
  readonly search: (place: SearchedPlace, query: MessageQuery) => Promise<FoundMessage[]>;
  readonly now: () => Date;
};

type SearchedPlace = ToolPlace & { readonly conversationId: string };

/** Tasks that an agent creates and changes, with audit records. */
export type Tasks = {
  create(by: TaskAuthor, task: TaskChange & { title: string }): Promise<AgentTask>;
  /** Undefined if the organization has no such task. */
  update(by: TaskAuthor, id: string, change: TaskChange): Promise<AgentTask | undefined>;
};

export type TaskAuthor = {
  readonly place: ToolPlace;
  readonly agent: { readonly id: string; readonly name: string };
};

export type TaskChange = {
  readonly title?: string;
  readonly description?: string;
  readonly status?: TaskStatus;
  readonly dueAt?: Date | null;
};

export type AgentTask = {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: string;
  readonly dueAt: Date | null;
};

export type MessageQuery = { readonly words: readonly string[]; readonly limit: number };
export type FoundMessage = { role: string; content: string; createdAt: Date };

export type BuiltinToolDefinition = Extract<Tool, { kind: 'builtin' }>;
type Arguments = Readonly<Record<string, unknown>>;
type Builtin = {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly run: (input: Arguments, by: TaskAuthor, ports: BuiltinPorts) => Promise<unknown>;
};

const text = (maxLength: number, description: string) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const dueAt = {
  type: ['string', 'null'],
  description: 'When it is due, in ISO 8601 with a time zone, such as 2030-01-31T17:00:00+01:00.',
};
const limits = { words: 8, messages: 20, excerpt: 500 } as const;

const table: Readonly<Record<BuiltinTool, Builtin>> = {
  create_task: {
    parameters: {
      type: 'object',
      properties: {
        title: text(500, 'What is to be done, in a few words.'),
        description: {
          type: 'string',
          maxLength: 20_000,
          description: 'All that is needed to do it.',
        },
        dueAt,
      },
      required: ['title'],
      additionalProperties: false,
    },
    run: async (input, by, { tasks }) => {
      const { title } = input as { title: string };
      if (title.trim() === '') throw new ToolFailure('A task needs a title.');
      return taskView(await tasks.create(by, { ...changeOf(input), title }));
    },
  },
  update_task: {
    parameters: {
      type: 'object',
      properties: {
        taskId: text(36, 'Id of the task, as returned by create_task.'),
        title: text(500, 'A new title.'),
        description: { type: 'string', maxLength: 20_000, description: 'A new description.' },
        status: { type: 'string', enum: taskStatuses },
        dueAt,
      },
      required: ['taskId'],
      additionalProperties: false,
    },
    run: async ({ taskId, ...input }, by, { tasks }) => {
      const id = String(taskId).toLowerCase();
      const task = isUuid(id) ? await tasks.update(by, id, changeOf(input)) : undefined;
      if (!task) throw new ToolFailure('There is no task with this id.');
      return taskView(task);
    },
  },
  current_time: {
    parameters: {
      type: 'object',
      properties: { timeZone: text(64, 'IANA name, such as Europe/Berlin; UTC when left out.') },
      additionalProperties: false,
    },
    run: ({ timeZone = 'UTC' }, _by, { now }) => Promise.resolve(timeIn(String(timeZone), now())),
  },
  search_conversation: {
    parameters: {
      type: 'object',
      properties: { query: text(200, 'Words that the message must contain.') },
      required: ['query'],
      additionalProperties: false,
    },
    run: async ({ query }, { place }, { search }) => {
      const { organizationId, conversationId } = place;
      if (conversationId === null) throw new ToolFailure('There is no conversation to search.');
      const words = String(query).split(/\s+/).filter(Boolean).slice(0, limits.words);
      if (words.length === 0) throw new ToolFailure('The query has no words.');
      const found = await search(
        { organizationId, conversationId },
        { words, limit: limits.messages },
      );
      return {
        messages: found.map(({ role, content, createdAt }) => ({
          role,
          at: createdAt.toISOString(),
          content: content.slice(0, limits.excerpt),
        })),
      };
    },
  },
};

export function bindBuiltinTool(
  tool: BuiltinToolDefinition,
  by: TaskAuthor,
  ports: BuiltinPorts,
): BoundTool {
  const { name } = tool;
  const { parameters, run } = table[name];
  return {
    ...commonOf(tool),
    kind: 'builtin',
    declaration: { name, description: tool.description ?? builtinTools[name], parameters },
    run: async ({ arguments: input }) => ({
      status: 'succeeded',
      output: JSON.stringify(await run(input, by, ports)),
    }),
  };
}

function changeOf(input: Arguments): TaskChange {
  const { dueAt: due, ...change } = input as Omit<TaskChange, 'dueAt'> & { dueAt?: string | null };
  return due === undefined ? change : { ...change, dueAt: due === null ? null : instant(due) };
}

function instant(text: string): Date {
  const date = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/i.test(text)
    ? new Date(text)
    : null;
  if (!date || Number.isNaN(date.getTime()))
    throw new ToolFailure('dueAt must be a date and time in ISO 8601 with a time zone.');
  return date;
}

function taskView({ id, title, description, status, dueAt: due }: AgentTask) {
  return { taskId: id, title, description, status, dueAt: due?.toISOString() ?? null };
}

function timeIn(timeZone: string, now: Date) {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' });
  } catch {
    throw new ToolFailure(`There is no time zone named ${timeZone}.`);
  }
  return { utc: now.toISOString(), timeZone, local: format.format(now) };
}
