import type { ErrorCode } from './contract.js';

/** What is wrong with one place of a request. */
export type FieldError = {
  /** A JSON pointer into the body, or the name of a parameter. */
  readonly path: string;
  /** What is wrong there. */
  readonly message: string;
};

/** What the service said of a request that it refused. */
export type Refusal = {
  readonly status: number;
  readonly errorCode: string | undefined;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly quota: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
};

/** The service, or something in front of it, refused the request. */
export class ParleyApiError extends Error implements Refusal {
  override readonly name = 'ParleyApiError';
  /** The HTTP status. */
  readonly status: number;
  /** What went wrong, as a word for programs; undefined where the answer came from a proxy. */
  readonly errorCode: ErrorCode | (string & {}) | undefined;
  /** What went wrong, for people. */
  readonly detail: string;
  /** The places of the request that are wrong. */
  readonly errors: readonly FieldError[];
  /** The quota that is used up, with `quota-reached`. */
  readonly quota: string | undefined;
  /** Names the request in the service's log; quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** How many seconds to wait before the request is worth repeating. */
  readonly retryAfter: number | undefined;
  /** How often the request was sent. Of more than one attempt, an earlier one may have worked, its answer being lost. */
  readonly attempts: number;

  /** @internal */
  constructor(refusal: Refusal, attempts = 1) {
    const { status, errorCode, detail, errors, requestId } = refusal;
    const places = errors.map(({ path, message }) => `${path} ${message}`);
    const told = [detail, ...places].join('; ');
    const named = requestId === undefined ? '' : ` (request ${requestId})`;
    super(`${status} ${errorCode ?? 'without a code'}: ${told}${named}`);
    this.status = status;
    this.errorCode = errorCode;
    this.detail = detail;
    this.errors = errors;
    this.quota = refusal.quota;
    this.requestId = requestId;
    this.retryAfter = refusal.retryAfter;
    this.attempts = attempts;
  }
}

/**
 * Why there is no answer: `lost`, there was no connection or it broke; `timeout`, it took longer than `timeoutMs`; `aborted`, your signal fired;
 * `unreadable`, what came is not what the service sends.
 */
export type ConnectionFailure = 'lost' | 'timeout' | 'aborted' | 'unreadable';

/** There is no answer. Whether the service has done what was asked is unknown, unless the request only reads. */
export class ParleyConnectionError extends Error {
  override readonly name = 'ParleyConnectionError';
  /** Why. */
  readonly reason: ConnectionFailure;
  /** How often the request was sent. */
  readonly attempts: number;

  /** @internal */
  constructor(
    reason: ConnectionFailure,
    message: string,
    { attempts = 1, cause }: { attempts?: number; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.attempts = attempts;
  }
}

/**
 * Why a webhook's request cannot be trusted: `headers-missing`, it is none of Parley's; `too-old` and `too-new`, its time is too far from now;
 * `signature-wrong`, somebody else has sent it, or it was signed with another secret; `body-malformed`, what was signed is no event.
 */
export type WebhookFailure =
  'headers-missing' | 'too-old' | 'too-new' | 'signature-wrong' | 'body-malformed';

/** A request that claims to come from Parley must not be believed. Answer it with 400. */
export class ParleyWebhookError extends Error {
  override readonly name = 'ParleyWebhookError';
  /** Why. */
  readonly reason: WebhookFailure;

  /** @internal */
  constructor(reason: WebhookFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
