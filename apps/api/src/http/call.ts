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

/** A response that is sent in pieces, as fast as the caller reads. */
export type Streamed = {
  mediaType: string;
  headers: Readonly<Record<string, string>>;
  chunks: AsyncIterable<string>;
  /** Breaks the connection to a client that does not read. */
  cut?: AbortSignal;
};

/** The status of a caller that keeps listening. */
export type Standing = {
  lastEventId: string | undefined;
  /** Authenticates the caller again. Rejects with the error that a new request would get. */
  again: () => Promise<Caller>;
  /** Fires when the connection is closed; has fired for HEAD, which nobody listens to. */
  gone: AbortSignal;
};

/** The response of an operation that may continue after its request. */
export type Accepted<T> = { accepted: boolean; resource: T };

/** The response of an operation that may create the resource that it names. */
export type Saved<T> = { created: boolean; resource: T };

type Body<Id extends OperationId> = Operations[Id] extends { upload: object }
  ? Upload
  : Of<Id, 'body'>;
type Success<Id extends OperationId> = Operations[Id]['success'];
type Resource<Id extends OperationId> =
  Success<Id> extends { schema: infer S extends TSchema } ? Static<S> : undefined;
/** Lists whose items may be long: a page of them may be sent in pieces. */
type LongList = 'listAgents' | 'listApprovals' | 'listAuditLog' | 'listMessages' | 'listTasks';

type Answer<Id extends OperationId> =
  Success<Id> extends { stream: readonly string[] }
    ? Streamed
    : Success<Id> extends { download: readonly string[] }
      ? Download
      : Success<Id> extends { orCreated: true }
        ? Saved<Resource<Id>>
        : Success<Id> extends { orAccepted: infer Pending extends TSchema }
          ?
              | Accepted<Resource<Id> | Static<Pending>>
              | (Success<Id> extends { orEvents: true } ? Streamed : never)
          : Resource<Id> | (Id extends LongList ? Streamed : never);

type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What an operation loads while it checks that its target exists. */
type Seen<Id extends OperationId> = Id extends 'createRealtimeSession' ? IssuableAgent : true;

/** One request after all checks: everything in it is validated against the contract. */
export type Call<Id extends OperationId> = {
  caller: Caller;
  params: Readonly<Record<NamesIn<Operations[Id]['path']>, string>>;
  /** The result of `visible`. */
  seen: Seen<Id>;
  query: Of<Id, 'query'>;
  body: Body<Id>;
  /** Whether the caller wants server-sent events, if the operation supports them. */
  events: boolean;
  /** For a response that lasts as long as its caller listens. */
  standing: Operations[Id] extends { resumable: true } ? Standing : undefined;
  /** The context of the request's span, if it is traced. */
  traceparent: string | undefined;
  /**
   * Whether the caller's If-Match and If-None-Match allow a change of the resource with this ETag;
   * `undefined` stands for a resource that does not exist.
   */
  admits: (etag: string | undefined) => boolean;
  /**
   * Runs a transaction of the caller's organization that returns the response. With an
   * Idempotency-Key, the same transaction stores the response, so that both are committed together.
   * So a handler commits once, as its last action.
   */
  commit: (work: (scope: OrganizationScope) => Promise<Answer<Id>>) => Promise<Answer<Id>>;
};

export type Target<Id extends OperationId> = Pick<Call<Id>, 'caller' | 'params'>;

export type Handler<Id extends OperationId> = {
  /**
   * The resource that the path names, or whether it is visible. Checked before the body, so that an
   * absent resource is a 404 whatever was sent.
   */
  visible?: (target: Target<Id>) => Promise<Seen<Id> | false | undefined>;
  run: (call: Call<Id>) => Promise<Answer<Id>>;
  /**
   * The response to a repeated request, if it is not simply the one stored for its Idempotency-Key.
   */
  recall?: (call: Omit<Call<Id>, 'commit'>, kept: Answer<Id>) => Promise<Answer<Id>>;
};

/**
 * A handler as the router sees it: the router has already checked the call against the operation.
 */
export type AnyHandler = {
  visible?: (target: Target<OperationId>) => Promise<unknown>;
  run: (call: Call<OperationId>) => Promise<unknown>;
  recall?: (call: Omit<Call<OperationId>, 'commit'>, kept: never) => Promise<unknown>;
};

/** A handler for every operation of the contract: a missing one does not compile. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
