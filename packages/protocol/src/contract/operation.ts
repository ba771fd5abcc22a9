import { Type, type TObject, type TSchema } from '@sinclair/typebox';
import { uuidPattern } from '../ids.js';
import type { ProblemCode } from '../errors.js';
import type { RealtimeErrorCode } from '../realtime-errors.js';
import { ownProperty } from '../own-property.js';
import type { Role } from '../roles.js';
import type { Scope } from '../scopes.js';

export const tags = {
  Agent: 'An agent: its instructions, its voice and its tools.',
  Connection: 'How Parley reaches a model provider.',
  Realtime: 'A realtime session: created here, then opened as a WebSocket with its one-time token.',
  Approval: 'A tool call that waits until a person allows it.',
  TemporaryFile:
    'A temporary file, whose text an agent can read with a question or a realtime session.',
  Conversation: 'The record of what was said to an agent, what its tools did, and what it cost.',
  Usage: 'An organization’s usage over time, and its quotas.',
  Task: 'Something to be done, synced with the system it comes from.',
  AuditLog: 'Who changed what and when: one tamper-evident chain of records per organization.',
  Webhook:
    'Where an organization’s events are sent: signed requests, retried until they are accepted.',
  ApiKey: 'A key with which a system acts for the organization.',
  Member: 'A person who can sign in to the organization, and their role.',
  Account: 'Signing in to the console.',
  Event: 'Events in real time, for pages and backends.',
} as const satisfies Record<string, string>;

export type Success = {
  status: 200 | 201 | 204;
  schema?: TSchema;
  /** The operation may create what it names: it then answers 201, and its handler tells which it was. */
  orCreated?: true;
  /** Where a created resource is read, if not under the operation's own path. */
  location?: string;
  /** What is asked for may take longer than its request: it is then answered 202 with this, and the handler tells which it was. */
  orAccepted?: TSchema;
  /** Who accepts text/event-stream gets the answer as server-sent events. */
  orEvents?: true;
  /** The answer's id and version are sent as a strong ETag. */
  etag?: true;
  /** Media types of an answer that is streamed instead of being one JSON value. */
  stream?: readonly string[];
  /** Media types of an answer that is a file. */
  download?: readonly string[];
  /** Headers of the answer beyond those that follow from the row. */
  headers?: Readonly<Record<string, string>>;
};

/** One REST operation: what the router enforces and what the OpenAPI document says. */
export type Operation = OrganizationOperation | (Described & ConsoleAccess);
export type OrganizationOperation = Described & OrganizationAccess;

/** It works in one organization, for a key with the scope or a member with the role. */
type OrganizationAccess = {
  scope: Scope;
  /** Scopes that the key needs as well, because the answer shows what they guard. */
  furtherScopes?: readonly Scope[];
  /** Any of these will do as well: the answer shows what each of them lets its caller read. */
  orScopes?: readonly Scope[];
  /** The least role of a member who calls it, where the method does not tell. */
  role?: Role;
  access?: undefined;
};

/** It belongs to no organization: anybody may call it, or whoever is signed in to the console. */
type ConsoleAccess = {
  access: 'anybody' | 'session';
  scope?: undefined;
  furtherScopes?: undefined;
  orScopes?: undefined;
  role?: undefined;
};

type Described = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  tag: keyof typeof tags;
  summary: string;
  /** What a caller has to know beyond the summary. */
  description: string;
  /** Names in the path that are not UUIDs, and what they are. */
  params?: Readonly<Record<string, TSchema>>;
  query?: TObject;
  body?: TSchema;
  /** A body may be left out entirely; every field then takes its default. */
  bodyOptional?: boolean;
  /** Instead of a JSON body: one file, as the only field of a multipart/form-data body. */
  upload?: { field: string; description: string; example: string };
  /** A budget of its own beside that of all requests; without Redis to count in, the operation is refused. */
  rateLimit?: 'sessions';
  /** The change may be made conditional on the ETag that the caller has seen. */
  ifMatch?: true;
  /** The answer goes on for as long as the caller listens, and after a break from the place that Last-Event-ID names. */
  resumable?: true;
  /** Dates: since when it should not be used any more, and from when it will be gone. */
  deprecated?: { since: string; sunset?: string };
  success: Success;
  /** Refusals beyond those that every operation shares. */
  problems: readonly ProblemCode[];
  realtimeErrors?: readonly RealtimeErrorCode[];
};

/** The least role of a member who may call an operation. */
export function roleFor({ role, method }: Pick<Operation, 'role' | 'method'>): Role {
  return role ?? (method === 'get' ? 'viewer' : 'editor');
}

/** Signing in and out is not repeated by a key: it would keep a cookie. */
export function takesIdempotencyKey({ method, access }: Operation): boolean {
  return method === 'post' && access === undefined;
}

/** Names in braces of an operation's path, each with what it must be. */
export function pathParameters(operation: Operation): { name: string; schema: TSchema }[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: ownProperty(operation.params, name) ?? pathId,
  }));
}

const pathId = Type.String({ pattern: uuidPattern });

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';
