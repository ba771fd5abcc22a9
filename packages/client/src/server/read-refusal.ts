import type { FieldError, Refusal } from './errors.js';

/** How much of a response that is not a problem document the error quotes. */
const maxExcerpt = 200;

/** Reads the body of an error response, whether the service or a proxy in front of it wrote it. */
export function readRefusal(response: Response, body: string, now: number): Refusal {
  const told = parsed(body);
  const { status, headers } = response;
  return {
    status,
    errorCode: codeOf(told),
    detail: text(told['detail']) ?? text(told['title']) ?? describe(response, body),
    errors: fieldErrors(told['errors']),
    quota: text(told['quota']),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterSeconds(headers.get('retry-after'), now),
  };
}

/** Seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterSeconds(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/**
 * Realtime errors contain their code; the code of a problem is the end of its type,
 * `/docs/errors#key-invalid`.
 */
function codeOf(told: Record<string, unknown>): string | undefined {
  return text(told['errorCode']) ?? text(told['type'])?.split('#')[1];
}

function describe({ status, statusText, headers }: Response, body: string): string {
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return `The service redirects to ${location}. Set baseUrl to its actual address.`;
  const words = body
    .replaceAll(/<[^<>]*>/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');
  return words.slice(0, maxExcerpt) || statusText || 'The response is empty.';
}

function fieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.map((each: unknown) => {
    const { path, message } = (each ?? {}) as Record<string, unknown>;
    return { path: text(path) ?? '', message: text(message) ?? '' };
  });
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
