import type { Static, TSchema } from '@sinclair/typebox';
import type { IssuableAgent, OrganizationScope } from '@parley/database';
import type { Caller } from '@parley/issuing';
import type {
  organizationOperations,
  OrganizationOperationId as OperationId,
} from '@parley/protocol';
import type { Download } from './download.js';
import type { Upload } from './upload-body.js';

export type { Caller };

type Operations = typeof organizationOperations;
type Of<Id extends OperationId, Part extends string> =
  Operations[Id] extends Record<Part, infer S extends TSchema> ? Static<S> : undefined;

/** An answer that is sent piece by piece, as fast as the caller reads. */
export type Streamed = {
  mediaType: string;
  headers: Readonly<Record<string, string>>;
  chunks: AsyncIterable<string>;
  /** Breaks the connection of a reader that does not read. */
  cut?: AbortSignal;
};

/** How a caller stands who goes on listening. */
export type Standing = {
  lastEventId: string | undefined;
  /** The caller as it is now. Rejects with the refusal that a new request would get. */
  again: () => Promise<Caller>;
  /** Fires when the connection is over. */
  gone: AbortSignal;
};

/** The answer of an operation that may go on after its request. */
export type Accepted<T> = { accepted: boolean; resource: T };

/** The answer of an operation that may create what it names. */
export type Saved<T> = { created: boolean; resource: T };

type Body<Id extends OperationId> = Operations[Id] extends { upload: object }
  ? Upload
  : Of<Id, 'body'>;
type Success<Id extends OperationId> = Operations[Id]['success'];
type Resource<Id extends OperationId> =
  Success<Id> extends { schema: infer S extends TSchema } ? Static<S> : undefined;
type Answer<Id extends OperationId> =
  Success<Id> extends { stream: readonly string[] }
    ? Streamed
    : Success<Id> extends { download: readonly string[] }
      ? Download
      : Success<Id> extends { orCreated: true }
        ? Saved<Resource<Id>>
        : Success<Id> extends { orAccepted: infer Pending extends TSchema }
          ? | Accepted<Resource<Id> | Static<Pending>>
            | (Success<Id> extends { orEvents: true } ? Streamed : never)
          : Resource<Id>;

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What an operation has loaded when it has seen that there is something to work on. */
type Seen<Id extends OperationId> = Id extends 'createRealtimeSession' ? IssuableAgent : true;

/** One request after all checks: everything in it has been validated against the contract. */
export type Call<Id extends OperationId> = {
  caller: Caller;
  params: Readonly<Record<NamesIn<Operations[Id]['path']>, string>>;
  /** What `visible` found. */
  seen: Seen<Id>;
  query: Of<Id, 'query'>;
  body: Body<Id>;
  /** Whether the caller wants the answer as server-sent events, where the operation has them. */
  events: boolean;
  /** For an answer that goes on for as long as its caller listens. */
  standing: () => Standing;
  /** Of the request's span, if it is traced. */
  traceparent: string | undefined;
  /** Whether the caller's If-Match admits a change of what has this ETag; `undefined` stands for what does not exist. */
  admits: (etag: string | undefined) => boolean;
  /**
   * A transaction of the caller's organization that returns the answer. With an Idempotency-Key the answer is kept by the same transaction, so
   * that the work and the memory of it are committed together; hence a handler commits once, as the last thing that it does.
   */
  commit: (work: (scope: OrganizationScope) => Promise<Answer<Id>>) => Promise<Answer<Id>>;
};

export type Target<Id extends OperationId> = Pick<Call<Id>, 'caller' | 'params'>;

export type Handler<Id extends OperationId> = {
  /** What the path names, or whether it is visible. Asked before the body is looked at, so that an absent resource is 404 whatever was sent. */
  visible?: (target: Target<Id>) => Promise<Seen<Id> | false | undefined>;
  run: (call: Call<Id>) => Promise<Answer<Id>>;
  /** What a repeated request is answered, where that is not simply what was kept for its Idempotency-Key. */
  recall?: (call: Omit<Call<Id>, 'commit'>, kept: Answer<Id>) => Promise<Answer<Id>>;
};

/** What the router knows of a handler: it has checked the call against the operation itself. */
export type AnyHandler = {
  visible?: (target: Target<OperationId>) => Promise<unknown>;
  run: (call: Call<OperationId>) => Promise<unknown>;
  recall?: (call: Omit<Call<OperationId>, 'commit'>, kept: never) => Promise<unknown>;
};

/** A handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
