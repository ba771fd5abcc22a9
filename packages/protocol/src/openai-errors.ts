import { type FieldError, type Problem, type ProblemCode } from './errors.js';
import { RealtimeError, type RealtimeErrorCode } from './realtime-errors.js';

/** A refusal in OpenAI's format. */
export type OpenAiRefusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly error: {
      readonly message: string;
      readonly type: string;
      readonly param: string | null;
      readonly code: string | null;
    };
  };
};

type Kind = { readonly type: string; readonly code: string | null };

/** OpenAI's equivalent of a problem in the catalogue, if there is one. */
const kinds: Partial<Record<ProblemCode, Kind>> = {
  'key-missing': { type: 'invalid_request_error', code: 'invalid_api_key' },
  'key-invalid': { type: 'invalid_request_error', code: 'invalid_api_key' },
  'key-expired': { type: 'invalid_request_error', code: 'invalid_api_key' },
  'organization-forbidden': { type: 'invalid_request_error', code: 'mismatched_organization' },
  'scope-missing': { type: 'invalid_request_error', code: 'insufficient_permissions' },
  'model-not-found': { type: 'invalid_request_error', code: 'model_not_found' },
  'rate-limited': { type: 'requests', code: 'rate_limit_exceeded' },
  'quota-reached': { type: 'insufficient_quota', code: 'insufficient_quota' },
  'approval-pending': { type: 'invalid_request_error', code: 'approval_pending' },
  'route-not-found': { type: 'invalid_request_error', code: 'unknown_url' },
};

/**
 * Realtime errors that are not a bad request in OpenAI's API; the others keep 400, and all keep
 * their code.
 */
const realtimeStatuses: Partial<Record<RealtimeErrorCode, number>> = {
  RealtimeNotEnabled: 403,
  RealtimeSessionInvalid: 401,
  RealtimeSessionExpired: 401,
  RealtimeSessionAlreadyUsed: 401,
};

export function openAiRefusal(error: Problem | RealtimeError): OpenAiRefusal {
  if (error instanceof RealtimeError) {
    const { errorCode, message } = error;
    const code = errorCode === 'RealtimeSessionInvalid' ? 'invalid_api_key' : errorCode;
    const body = { error: { message, type: 'invalid_request_error', param: null, code } };
    return { status: realtimeStatuses[errorCode] ?? 400, headers: {}, body };
  }
  const { status, headers, code, errors } = error;
  const fallback = status < 500 ? 'invalid_request_error' : 'server_error';
  const kind = kinds[code] ?? { type: fallback, code: null };
  const [first] = errors;
  const place = first ? parameterOf(first) : '';
  const param = place === '' ? null : place;
  const subject = param === null ? 'It' : `${param}:`;
  const message = first ? `${error.message} ${subject} ${first.message}.` : error.message;
  return { status, headers, body: { error: { message, type: kind.type, param, code: kind.code } } };
}

/** `/messages/0/content` becomes `messages[0].content`. */
function parameterOf({ path }: FieldError): string {
  const steps = path.split('/').filter((step) => step !== '');
  return steps
    .map((step, n) => (/^\d+$/.test(step) ? `[${step}]` : n === 0 ? step : `.${step}`))
    .join('');
}
