import type { TObject, TSchema } from '@sinclair/typebox';
import type { ProblemCode, RealtimeErrorCode } from '../errors.js';
import type { Scope } from '../scopes.js';

export const tags = {
  Agent: 'An agent: its instructions, its voice, and the tools that it may use.',
  Connection: 'How Parley reaches a model provider.',
  Realtime: 'A realtime session: created here, then opened as a WebSocket with its one-time token.',
  TemporaryFile:
    'A file for a while: its text can be given to an agent with a question or a realtime session.',
  Conversation: 'The record of what was said to an agent, what its tools did, and what it cost.',
} as const satisfies Record<string, string>;

/** One REST operation: what the router enforces and what the OpenAPI document says. */
export type Operation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  tag: keyof typeof tags;
  summary: string;
  scope: Scope;
  query?: TObject;
  body?: TSchema;
  /** A body may be left out entirely; every field then takes its default. */
  bodyOptional?: boolean;
  /** Instead of a JSON body: one file, as the only field of a multipart/form-data body. */
  upload?: { field: string; description: string };
  /** A budget of its own beside that of all requests; without Redis to count in, the operation is refused. */
  rateLimit?: 'sessions';
  /** The answer is JSON of a schema, a download of one of these media types, or nothing. */
  success: { status: 200 | 201 | 204; schema?: TSchema; download?: readonly string[] };
  /** Refusals beyond those that every operation shares. */
  problems: readonly ProblemCode[];
  realtimeErrors?: readonly RealtimeErrorCode[];
};

/** Names in braces of an operation's path. */
export function pathParameters(operation: Operation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
