import { ParleyApiError } from '@parley/client/server';

export const roles = ['viewer', 'approver', 'editor', 'owner'] as const;
export type Role = (typeof roles)[number];

export type Organization = { readonly id: string; readonly name: string; readonly role: Role };

/** The signed-in user. */
export type Me = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organizations: readonly Organization[];
  readonly csrfToken: string;
};

export type WaysIn = { readonly password: boolean; readonly oidc: boolean };

export function mayAct(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Undefined if nobody is signed in. */
export async function readMe(): Promise<Me | undefined> {
  const response = await fetch('/api/v1/Me', { headers: { accept: 'application/json' } });
  if (response.status === 401) return undefined;
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as Me;
}

export async function signIn(
  given: { token: string } | { email: string; password: string },
): Promise<void> {
  const response = await fetch('/api/v1/SignIn', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(given),
  });
  if (!response.ok) throw await refusal(response);
}

export async function signOut(csrfToken: string): Promise<void> {
  const response = await fetch('/api/v1/SignOut', {
    method: 'POST',
    headers: { 'x-parley-csrf': csrfToken, accept: 'application/json' },
  });
  if (!response.ok && response.status !== 401) throw await refusal(response);
}

export async function readWaysIn(): Promise<WaysIn> {
  const response = await fetch('/api/v1/SignIn', { headers: { accept: 'application/json' } });
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as WaysIn;
}

/** The service's problem, or the response of a proxy in front of it. */
export async function refusal(response: Response): Promise<ParleyApiError> {
  const told = await response
    .json()
    .then((body: unknown) => body as { type?: string; detail?: string })
    .catch(() => ({ type: undefined, detail: undefined }));
  const retryAfter = Number(response.headers.get('retry-after') ?? 'NaN');
  return new ParleyApiError({
    status: response.status,
    errorCode: told.type?.split('#')[1],
    detail: told.detail ?? `The server responded with ${response.status}.`,
    errors: [],
    quota: undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}
