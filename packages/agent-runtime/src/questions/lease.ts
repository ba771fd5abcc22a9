/** How long a run belongs to its holder without renewal, and how often it is renewed. */
export const lease = { ms: 15_000, renewalMs: 5000 } as const;

/**
 * The run now belongs to another process, or was deleted with its conversation: this process must
 * not touch it.
 */
export class RunLost extends Error {}

/**
 * Keeps a lease while work is done under it. A failed renewal is harmless at first: the next one
 * may be in time. If a renewal finds that the lease is lost, because the run has ended, was deleted
 * or belongs to another process, the signal fires with RunLost and stops the work.
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
