import type { ErrorCode } from './contract.js';

/** An invalid field of a request. */
export type FieldError = {
  /** A JSON pointer into the body, or the name of a parameter. */
  readonly path: string;
  /** What is wrong with it. */
  readonly message: string;
};

/** The service's description of why it refused a request. */
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
  /** Machine-readable error code; undefined if the response came from a proxy. */
  readonly errorCode: ErrorCode | (string & {}) | undefined;
  /** Explanation for people. */
  readonly detail: string;
  /** The invalid fields of the request. */
  readonly errors: readonly FieldError[];
  /** The quota that is used up, if the error is `quota-reached`. */
  readonly quota: string | undefined;
  /** Identifies the request in the service's log; quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** Seconds to wait before retrying the request. */
  readonly retryAfter: number | undefined;
  /**
   * How often the request was sent. If more than once, an earlier attempt may have succeeded and
   * its response been lost.
   */
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
 * Why there is no response: `lost`, the connection failed or broke; `timeout`, it took longer than
 * `timeoutMs`; `aborted`, your signal fired; `unreadable`, the response is not one that the service
 * sends.
 */
export type ConnectionFailure = 'lost' | 'timeout' | 'aborted' | 'unreadable';

/**
 * The call got no response. Unless the request only reads, it is unknown whether the service
 * carried it out.
 */
export class ParleyConnectionError extends Error {
  override readonly name = 'ParleyConnectionError';
  /** The reason for the failure. */
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
 * Why a webhook request cannot be trusted: `headers-missing`, it does not come from Parley;
 * `too-old` and `too-new`, its timestamp is too far from the current time; `signature-wrong`, it
 * was sent by somebody else or signed with another secret; `body-malformed`, the signed body is not
 * an event.
 */
export type WebhookFailure =
  | 'headers-missing'
  | 'too-old'
  | 'too-new'
  | 'signature-wrong'
  | 'body-malformed';

/** A request that claims to come from Parley cannot be trusted. Respond with 400. */
export class ParleyWebhookError extends Error {
  override readonly name = 'ParleyWebhookError';
  /** The reason for the rejection. */
  readonly reason: WebhookFailure;

  /** @internal */
  constructor(reason: WebhookFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
