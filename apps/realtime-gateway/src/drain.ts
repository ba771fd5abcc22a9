import pTimeout from 'p-timeout';

export type DrainOptions = {
  readonly timeoutMs: number;
  /** Resolves when no session is left. */
  readonly empty: Promise<void>;
  /** The currently open sessions. */
  readonly sessions: () => readonly { drain(): void }[];
  readonly random: () => number;
};

const batches = 10;
const maxClosingMs = 10_000;

/**
 * Lets sessions end by themselves for most of the time, then closes the rest in batches at uneven
 * intervals, so that their clients do not all reconnect at once. All are notified within the time;
 * their close handshakes have the reserve.
 */
export async function drainSessions(options: DrainOptions): Promise<void> {
  const { timeoutMs, empty, sessions, random } = options;
  const closingMs = Math.min(maxClosingMs, timeoutMs / 4);
  if (await settlesWithin(empty, timeoutMs - closingMs)) return;
  const left = sessions();
  const size = Math.ceil(left.length / batches);
  for (let at = 0; at < left.length; at += size) {
    for (const session of left.slice(at, at + size)) session.drain();
    if (await settlesWithin(empty, (closingMs / batches) * (0.5 + random() / 2))) return;
  }
  // Clients that were told to move to another instance get some time to do so.
  if (await settlesWithin(empty, closingMs / 4)) return;
  for (const session of sessions()) session.drain();
  // A socket whose peer does not acknowledge the close is ended by its own timeout.
  await empty;
}

function settlesWithin(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  const settled = promise.then(() => true);
  return pTimeout(settled, { milliseconds, fallback: () => false });
}
