import type { CreateSession } from '../session/connect-options.js';

/**
 * Requests a session from the page's own backend, with the user's credentials. The response is the
 * service's response, or an object with its `webSocketPath`.
 */
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
