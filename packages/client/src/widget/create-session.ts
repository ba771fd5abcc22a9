import type { CreateSession } from '../session/types.js';

/** Asks the page's own backend, as the page's user. It answers with what the service answered, or with the `webSocketPath` of it. */
export function createAt(url: string | null): CreateSession {
  return async (request, { signal }) => {
    if (url === null || url === '')
      throw new Error(
        'Set the attribute `create` of <parley-agent> to an address of your backend.',
      );
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(request),
      credentials: 'same-origin',
      signal,
    });
    if (!response.ok) throw new Error(`POST ${url} failed with ${response.status}.`);
    return (await response.json()) as Awaited<ReturnType<CreateSession>>;
  };
}
