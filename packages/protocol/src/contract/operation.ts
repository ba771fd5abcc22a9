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
  /**
   * The operation may create the resource: it then answers 201, and its handler says which it was.
   */
  orCreated?: true;
  /** Where a created resource is read, if not under the operation's own path. */
  location?: string;
  /**
   * The operation may take longer than its request: it is then answered 202 with this, and the
   * handler says which it was.
   */
  orAccepted?: TSchema;
  /** Callers that accept text/event-stream get the answer as server-sent events. */
  orEvents?: true;
  /** The answer's id and version are sent as a strong ETag. */
  etag?: true;
  /** Media types of a response that is streamed instead of being one JSON value. */
  stream?: readonly string[];
  /** Media types of a response that is a file. */
  download?: readonly string[];
  /** Headers of the response beyond those that follow from the row. */
  headers?: Readonly<Record<string, string>>;
};

/** One REST operation: what the router enforces and what the OpenAPI document says. */
export type Operation = OrganizationOperation | (Described & ConsoleAccess);
export type OrganizationOperation = Described & OrganizationAccess;

/** It applies to one organization, for a key with the scope or a member with the role. */
type OrganizationAccess = {
  scope: Scope;
  /** Scopes that the key needs as well, because the response contains what they guard. */
  furtherScopes?: readonly Scope[];
  /**
   * Any of these scopes is sufficient, too: the response contains what each of them allows to read.
   */
  orScopes?: readonly Scope[];
  /** The lowest role of a member who may call it, if the method does not determine it. */
  role?: Role;
  access?: undefined;
};

/**
 * It belongs to no organization: anybody may call it, or anyone who is signed in to the console.
 */
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
  /** Path parameters that are not UUIDs, and their schemas. */
  params?: Readonly<Record<string, TSchema>>;
  query?: TObject;
  body?: TSchema;
  /** The body may be omitted entirely; every field then takes its default. */
  bodyOptional?: boolean;
  /** Instead of a JSON body: one file, as the only field of a multipart/form-data body. */
  upload?: { field: string; description: string; example: string };
  /**
   * A separate rate limit in addition to that of all requests; without Redis to count in, the
   * operation is refused.
   */
  rateLimit?: 'sessions';
  /** The change may be made conditional on an ETag. */
  ifMatch?: true;
  /**
   * The response continues for as long as the caller listens, and resumes after the position in
   * Last-Event-ID.
   */
  resumable?: true;
  /** Dates: when it was deprecated, and when it will be removed. */
  deprecated?: { since: string; sunset?: string };
  success: Success;
  /** Refusals beyond those that every operation shares. */
  problems: readonly ProblemCode[];
  realtimeErrors?: readonly RealtimeErrorCode[];
};

/** The lowest role of a member who may call an operation. */
export function roleFor({ role, method }: Pick<Operation, 'role' | 'method'>): Role {
  return role ?? (method === 'get' ? 'viewer' : 'editor');
}

/** Signing in and out cannot be repeated with a key, because that would store a cookie. */
export function takesIdempotencyKey({ method, access }: Operation): boolean {
  return method === 'post' && access === undefined;
}

/** The parameters in an operation's path, with their schemas. */
export function pathParameters(operation: Operation): { name: string; schema: TSchema }[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    schema: ownProperty(operation.params, name) ?? pathId,
  }));
}

const pathId = Type.String({ pattern: uuidPattern });

export const idempotencyKeyPattern = '^[\\x21-\\x7e]{1,255}$';
