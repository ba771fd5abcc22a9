/** How long a run stays its holder's without being renewed, and how often it is. */
export const lease = { ms: 15_000, renewalMs: 5000 } as const;

/** The run is somebody else's by now, or was deleted with its conversation: nothing more can be said about it here. */
export class RunLost extends Error {}

/** Keeps a lease while work is being done under it. A renewal that fails costs nothing yet: the next one may be in time. */
export async function whileLeased<T>(
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => void renew().catch(() => undefined), lease.renewalMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}
