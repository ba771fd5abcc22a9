import { waitFor } from './wait-for.js';

const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined;
const PATIENCE_MS = Number(process.env['TESTKIT_PATIENCE_MS'] ?? 30_000);

/** What currently keeps this process alive, by kind and number. */
export function openResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Waits until nothing is open that was not open before; rejects with the leftovers. */
export async function nothingLeftOpen(
  before: ReadonlyMap<string, number>,
  by: string,
): Promise<void> {
  const left = () =>
    [...openResources()].flatMap(([kind, count]) => {
      const more = count - (before.get(kind) ?? 0);
      return more > 0 ? [`${more} ${kind}`] : [];
    });
  await waitFor(() => left().length === 0, { what: 'the end', timeoutMs: PATIENCE_MS }).catch(
    () => {
      // Open resources keep this process from ending by itself; mocha ends its workers.
      if (!isWorker) setTimeout(() => process.exit(1), PATIENCE_MS).unref();
      throw new Error(`${by} left something open: ${left().join(', ')}`);
    },
  );
}
