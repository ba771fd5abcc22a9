import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { ParleyApiError, ParleyConnectionError } from '@parley/client/server';
import { useSyncExternalStore } from 'react';
import { readMe, type Me } from './account.js';

/**
 * One for the whole app: when the user returns to a page, cached data is shown immediately and
 * refetched.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The client already retries what is worth retrying.
      retry: false,
      throwOnError: false,
    },
  },
});

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await readMe()) ?? null,
  staleTime: Infinity,
});

export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (!data) throw new TypeError('Nobody is signed in.');
  return data;
}

export function csrfToken(): string {
  return queryClient.getQueryData(meQuery.queryKey)?.csrfToken ?? '';
}

/**
 * Whether the service has rejected this page's cookie since the user signed in. The page keeps its
 * state, including unsaved input; a dialog above it asks the user to sign in again.
 */
let expired = false;
const listeners = new Set<() => void>();

export function noteExpired(now: boolean): void {
  if (expired === now) return;
  expired = now;
  for (const tell of listeners) tell();
}

export function useExpired(): boolean {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => expired,
  );
}

/** After signing in again. If it is another user, the page is reloaded. */
export async function takeUpAgain(): Promise<void> {
  const before = queryClient.getQueryData(meQuery.queryKey);
  const now = await queryClient.query({ ...meQuery, staleTime: 0 });
  if (before && before.user.id !== now?.user.id) {
    location.reload();
    return;
  }
  noteExpired(false);
  await queryClient.invalidateQueries();
}

export function isRefusal(error: unknown, status: number): error is ParleyApiError {
  return error instanceof ParleyApiError && error.status === status;
}

export function isLost(error: unknown): error is ParleyConnectionError {
  return error instanceof ParleyConnectionError;
}
