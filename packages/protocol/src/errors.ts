import type { QuotaName } from './quotas.js';

/**
 * Errors of the REST API, sent as problem+json. The key is the last part of the problem's `type`.
 */
export const problems = {
  'key-missing': {
    status: 401,
    title: 'API key missing',
    doc: 'The request has no X-Api-Key header, and no console cookie. Send the API key of your integration.',
  },
  'key-invalid': {
    status: 401,
    title: 'API key invalid',
    doc: 'The key is malformed, unknown or revoked. Use a key of this deployment, or create a new one.',
  },
  'key-expired': {
    status: 401,
    title: 'API key expired',
    doc: 'The key’s expiry has passed. Create a new key and replace the old one in your backend.',
  },
  'session-over': {
    status: 401,
    title: 'Signed out',
    doc: 'The console session is over: it was unused for 12 hours, is older than 7 days, was ended, or its account or its password has changed. Sign in again.',
  },
  'sign-in-refused': {
    status: 401,
    title: 'Sign-in refused',
    doc: 'The email address and password do not match an account that can sign in.',
  },
  'sign-in-link-unusable': {
    status: 401,
    title: 'Sign-in link unusable',
    doc: 'The link was already used, has expired, or is incomplete. Request a new one.',
  },
  'origin-foreign': {
    status: 403,
    title: 'Foreign origin',
    doc: 'A request with the console cookie, or one that signs in, came from a page of another origin, or without an Origin header.',
  },
  'csrf-token-wrong': {
    status: 403,
    title: 'CSRF token wrong',
    doc: 'A request with the console cookie changes something, but X-Parley-Csrf is missing or is not the `csrfToken` of this session.',
  },
  'role-missing': {
    status: 403,
    title: 'Role missing',
    doc: 'The member’s role in the organization does not allow this operation. An owner can change it.',
  },
  'organization-missing': {
    status: 400,
    title: 'Organization missing',
    doc: 'The request has no X-Org-Id header. Send your organization’s id with every request.',
  },
  'organization-malformed': {
    status: 400,
    title: 'Organization malformed',
    doc: 'X-Org-Id is not a UUID, was sent more than once, or does not match OrgId in the query.',
  },
  'organization-forbidden': {
    status: 403,
    title: 'Organization forbidden',
    doc: 'The key is valid but does not belong to the organization in X-Org-Id, or the signed-in person is not a member of it.',
  },
  'origin-forbidden': {
    status: 403,
    title: 'Origin forbidden',
    doc: 'The origin of the page that opens the WebSocket is not in REALTIME_ALLOWED_ORIGINS. Ask the operator to add it.',
  },
  'scope-missing': {
    status: 403,
    title: 'Scope missing',
    doc: 'The key is valid but lacks the scope that this operation needs. Create a key with that scope.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    doc: 'The key has exceeded its request rate. Wait for the number of seconds in Retry-After.',
  },
  'quota-reached': {
    status: 429,
    title: 'Quota reached',
    doc: 'The organization has reached the quota named in `quota`. Retry after the number of seconds in Retry-After, use less, or ask the operator to raise the quota.',
  },
  'too-many-streams': {
    status: 429,
    title: 'Too many streams',
    doc: 'The organization has the maximum number of open event streams on this instance. Close unused streams, or share one among your listeners.',
  },
  'id-malformed': {
    status: 400,
    title: 'Id malformed',
    doc: 'An id in the path is not a UUID, or not a value that the operation accepts there.',
  },
  'query-invalid': {
    status: 400,
    title: 'Query invalid',
    doc: 'A query parameter is unknown, repeated, malformed or out of bounds; `errors` names it.',
  },
  'body-malformed': {
    status: 400,
    title: 'Body malformed',
    doc: 'The body is not acceptable JSON: wrong syntax or encoding, nested too deeply, a repeated or forbidden key, or a NUL character. For an upload: it is not a complete multipart/form-data body.',
  },
  'body-invalid': {
    status: 400,
    title: 'Body invalid',
    doc: 'The body does not match the operation’s schema or rules; `errors` lists each location.',
  },
  'body-too-large': {
    status: 413,
    title: 'Body too large',
    doc: 'The body exceeds MAX_BODY_BYTES, before or after decompression, or an uploaded file TEMPORARY_FILE_MAX_BYTES.',
  },
  'media-type-unsupported': {
    status: 415,
    title: 'Media type unsupported',
    doc: 'Send `Content-Type: application/json` in UTF-8, or `multipart/form-data` where a file is uploaded.',
  },
  'file-type-unsupported': {
    status: 415,
    title: 'File type unsupported',
    doc: 'The content of the uploaded file is not plain text, Markdown, CSV, JSON or PDF, whatever its name says.',
  },
  'request-malformed': {
    status: 400,
    title: 'Request malformed',
    doc: 'The request line or a header cannot be accepted, for example an undecodable path.',
  },
  'request-timeout': {
    status: 408,
    title: 'Request too slow',
    doc: 'The request did not arrive completely in time. Send it again on a new connection.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URI too long',
    doc: 'The path and the query are too long.',
  },
  'expectation-failed': {
    status: 417,
    title: 'Expectation failed',
    doc: 'The Expect header is not `100-continue`.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Headers too large',
    doc: 'The request line and the headers are larger than 16 KiB in total.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    doc: 'The resource does not exist or is not visible to the organization.',
  },
  'model-not-found': {
    status: 404,
    title: 'Model not found',
    doc: 'Under /v1, a model is an agent, identified by its id. The organization has no agent with this id.',
  },
  'route-not-found': {
    status: 404,
    title: 'No such operation',
    doc: 'No operation has this path. The contract is at /api/v1/openapi.json.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    doc: 'The path does not support this method; `Allow` lists the methods that it does.',
  },
  'upgrade-required': {
    status: 426,
    title: 'Upgrade required',
    doc: 'The path is a WebSocket. Open it with a WebSocket client.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    doc: 'The change conflicts with the current state, for example deleting something that is still in use.',
  },
  'precondition-malformed': {
    status: 400,
    title: 'Precondition malformed',
    doc: 'If-Match or If-None-Match is neither `*` nor a list of entity tags. Send the ETag back as you received it, including the quotes.',
  },
  'precondition-failed': {
    status: 412,
    title: 'Precondition failed',
    doc: 'The resource no longer matches If-Match, because somebody else changed it, or If-None-Match excludes its current state. Read it again, and repeat your change with the new ETag.',
  },
  'idempotency-key-malformed': {
    status: 400,
    title: 'Idempotency key malformed',
    doc: 'Idempotency-Key is not a single string of 1 to 255 visible ASCII characters.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    doc: 'The key was already used with another path, another body or another API key. Use a new key for each new request.',
  },
  'idempotency-in-progress': {
    status: 409,
    title: 'Request in progress',
    doc: 'A request with the same Idempotency-Key is still in progress. Retry after the number of seconds in Retry-After.',
  },
  'approval-decided': {
    status: 409,
    title: 'Approval decided',
    doc: 'The call is no longer waiting: it was approved, rejected, cancelled with its session, or has expired. `detail` says which.',
  },
  'approval-session-silent': {
    status: 409,
    title: 'Session does not respond',
    doc: 'The instance that has the session of the call has not responded for 15 seconds, so nobody would run the tool. The call still waits: try again, unless it is cancelled meanwhile.',
  },
  'approval-client-only': {
    status: 403,
    title: 'Only the client may decide',
    doc: 'The tool’s `approvers` do not include `api`: only the client of the session can decide the call, on its own socket.',
  },
  'approval-ambiguous': {
    status: 409,
    title: 'Approval ambiguous',
    doc: 'Several calls are waiting with this call id. Decide each one by the approval’s own id.',
  },
  'provider-unavailable': {
    status: 502,
    title: 'No answer from the model',
    doc: 'The model provider was unreachable, refused the request, or gave no usable answer; `detail` says which. The question is recorded in the conversation; ask again to repeat it, with a new Idempotency-Key if you send one.',
  },
  'approval-pending': {
    status: 409,
    title: 'Approval pending',
    doc: 'Under /v1, a request waits for at most QUESTION_TIMEOUT_SECONDS. Nobody approved the tool call in that time, so the call was cancelled, unless the question belongs to a conversation that you named.',
  },
  'answer-late': {
    status: 504,
    title: 'Answer late',
    doc: 'Under /v1, a request waits for at most QUESTION_TIMEOUT_SECONDS, and there was no answer in that time. Stream the answer, or ask again.',
  },
  'service-unavailable': {
    status: 503,
    title: 'Service unavailable',
    doc: 'A store that the operation needs is unavailable, or the instance is shutting down. Retry after the number of seconds in Retry-After.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    doc: 'The service failed unexpectedly. Include the request id from X-Request-Id when you report it.',
  },
} as const satisfies Record<string, { status: number; title: string; doc: string }>;

export type ProblemCode = keyof typeof problems;

export type FieldError = { path: string; message: string };

/** How many errors a response lists, and how long each may be. */
export const errorLimits = { count: 20, text: 300 } as const;

/** A refusal that the caller may see: an entry of the problem catalogue with its particulars. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly quota: QuotaName | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly FieldError[];
      headers?: Record<string, string>;
      quota?: QuotaName;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.errors = (more.errors ?? []).slice(0, errorLimits.count).map(({ path, message }) => ({
      path: path.slice(0, errorLimits.text),
      message: message.slice(0, errorLimits.text),
    }));
    this.headers = more.headers ?? {};
    this.quota = more.quota;
  }

  get status(): number {
    return problems[this.code].status;
  }

  body(): {
    type: string;
    title: string;
    status: number;
    detail: string;
    errors?: readonly FieldError[];
    quota?: QuotaName;
  } {
    const { status, title } = problems[this.code];
    return {
      type: `/docs/errors#${this.code}`,
      title,
      status,
      detail: this.message,
      ...(this.errors.length > 0 && { errors: this.errors }),
      ...(this.quota !== undefined && { quota: this.quota }),
    };
  }
}
