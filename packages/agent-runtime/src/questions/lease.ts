/** How long a run stays its holder's without being renewed, and how often it is. */
export const lease = { ms: 15_000, renewalMs: 5000 } as const;

/** The run is somebody else's by now, or was deleted with its conversation: nothing more can be said about it here. */
export class RunLost extends Error {}

/**
 * Keeps a lease while work is being done under it. A renewal that fails costs nothing yet: the next one may be in time. One that finds the lease
 * lost, because the run is over, deleted or somebody else's, stops the work: the signal fires with RunLost.
 */
export async function whileLeased<T>(
  renew: () => Promise<boolean>,
  work: (lost: AbortSignal) => Promise<T>,
  renewalMs: number = lease.renewalMs,
): Promise<T> {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    renew().then(
      (kept) => {
        if (!kept) lost.abort(new RunLost());
      },
      () => undefined,
    );
  }, renewalMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(renewal);
  }
}
