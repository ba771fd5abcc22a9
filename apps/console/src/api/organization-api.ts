import { ParleyApiError } from '@parley/client/server';
import { csrfToken, noteExpired } from './signed-in.js';

/** Operations that the client has no methods for. */

export type AuditVerification = {
  readonly intact: boolean;
  readonly records: number;
  readonly brokenAt?: number | null;
};
export function organizationApi(organizationId: string) {
  const call = <T>(verb: string, path: string) => request<T>(organizationId, { verb, path });
  return {
    verifyAudit: () => call<AuditVerification>('GET', '/AuditLog/verification'),
    redeliver: (webhookId: string, deliveryId: string) =>
      call<unknown>('POST', `/Webhook/${webhookId}/delivery/${deliveryId}/redeliver`),
  };
}

type Asked = { verb: string; path: string };

async function request<T>(organizationId: string, { verb, path }: Asked): Promise<T> {
  const response = await fetch(`/api/v1${path}`, {
    method: verb,
    headers: {
      accept: 'application/json',
      'x-org-id': organizationId,
      ...(verb !== 'GET' && { 'x-parley-csrf': csrfToken() }),
      ...(verb === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    },
  });
  if (response.status === 401) noteExpired(true);
  const told = (await response.json().catch(() => undefined)) as Told | undefined;
  if (!response.ok)
    throw new ParleyApiError({
      status: response.status,
      errorCode: told?.type?.split('#')[1],
      detail: told?.detail ?? `The server answered ${response.status}.`,
      errors: told?.errors ?? [],
      quota: undefined,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfter: undefined,
    });
  return told as T;
}

type Told = { type?: string; detail?: string; errors?: { path: string; message: string }[] };
