import { ParleyApiError, ParleyConnectionError } from '@parley/client/server';

/** A failure for people: what happened, what to do, and the request id to quote to an operator. */
export type Failure = {
  readonly title: string;
  readonly advice: string;
  readonly requestId: string | undefined;
};

export type Telling = Pick<Failure, 'title' | 'advice'>;

/** A failure that the console itself explains. */
export class ToldFailure extends Error {
  readonly told: Telling;

  constructor(told: Telling) {
    super(`${told.title}. ${told.advice}`);
    this.told = told;
  }
}

const byStatus: Readonly<Record<number, Telling>> = {
  401: { title: 'You are signed out', advice: 'Sign in again; what you typed is kept.' },
  403: {
    title: 'Your role does not allow this',
    advice: 'Ask an owner of the organization for another role.',
  },
  404: { title: 'This does not exist', advice: 'It was deleted, or the link is wrong.' },
  409: {
    title: 'This is not possible right now',
    advice: 'Check the current state and try again.',
  },
  412: { title: 'Somebody else changed this', advice: 'Reload it, then make your change again.' },
  429: { title: 'Too many requests', advice: 'Wait a moment, then try again.' },
  503: { title: 'The service is not ready', advice: 'Try again in a moment.' },
};

const byReason: Readonly<Record<string, Telling>> = {
  lost: { title: 'The service cannot be reached', advice: 'Check your connection and try again.' },
  timeout: { title: 'The service took too long', advice: 'Try again in a moment.' },
  aborted: { title: 'This was cancelled', advice: 'Try again if you still want it.' },
  unreadable: {
    title: 'The response is not valid',
    advice: 'A proxy may have interfered. Try again, then contact your administrator.',
  },
};

export function failureOf(error: unknown): Failure {
  if (error instanceof ParleyApiError) return ofRefusal(error);
  if (error instanceof ToldFailure) return { ...error.told, requestId: undefined };
  if (error instanceof ParleyConnectionError) {
    const told = byReason[error.reason];
    if (told) return { ...told, requestId: undefined };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { title: 'Something went wrong', advice: message, requestId: undefined };
}

/** The service's message says what happened; the status says what to do. */
function ofRefusal({ status, detail, errors, retryAfter, requestId }: ParleyApiError): Failure {
  const known = byStatus[status];
  if (status >= 500 && !known)
    return { title: 'The service failed', advice: 'Try again in a moment.', requestId };
  const wait = retryAfter === undefined ? '' : ` Wait ${retryAfter} s.`;
  const places = errors.map(({ path, message }) => `${path}: ${message}`).join(' ');
  return {
    title: known?.title ?? 'The service refused this',
    advice: [detail + wait, places].filter((text) => text !== '').join(' '),
    requestId,
  };
}

/** The error of each field of a body, by its JSON pointer: `/tools/0/url`. */
export function fieldErrorsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof ParleyApiError)) return new Map();
  return new Map(error.errors.map(({ path, message }) => [path, message]));
}
