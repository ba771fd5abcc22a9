import type { TObject, TSchema } from '@sinclair/typebox';
import type { ProblemCode, RealtimeErrorCode } from '../errors.js';
import { Uuid } from '../schemas/text.js';
import type { Scope } from '../scopes.js';

export const tags = {
  Agent: 'An agent: its instructions, its voice, and the tools that it may use.',
  Connection: 'How Parley reaches a model provider.',
  Realtime: 'A realtime session: created here, then opened as a WebSocket with its one-time token.',
  Approval: 'A tool call that waits until a person allows it.',
  Conversation: 'The record of what was said to an agent, what its tools did, and what it cost.',
} as const satisfies Record<string, string>;

/** One REST operation: what the router enforces and what the OpenAPI document says. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  tag: keyof typeof tags;
  summary: string;
  scope: Scope;
  /** What a name in the path may be, where it is not the id of a resource. */
  params?: Readonly<Record<string, TSchema>>;
  query?: TObject;
  body?: TSchema;
  /** A body may be left out entirely; every field then takes its default. */
  bodyOptional?: boolean;
  /** A budget of its own beside that of all requests; without Redis to count in, the operation is refused. */
  rateLimit?: 'sessions';
  success: { status: 200 | 201 | 204; schema?: TSchema };
  /** Refusals beyond those that every operation shares. */
  problems: readonly ProblemCode[];
  realtimeErrors?: readonly RealtimeErrorCode[];
};

/** Names in braces of an operation's path, and what may stand there. */
export function pathParameters(operation: Operation): { name: string; schema: TSchema }[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: operation.params?.[name] ?? Uuid(),
  }));
}
