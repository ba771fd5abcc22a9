/**
 * Anything that the testkit has started. It ends with the run: at mocha's global teardown or on a
 * signal.
 */
export type Resource = {
  stop(): Promise<void>;
};

const resources = new Set<Resource>();
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
let listening = false;

export function stopAtTeardown(resource: Resource): void {
  resources.add(resource);
  if (listening) return;
  listening = true;
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => void teardown().finally(() => process.exit(code)));
}

/** For a resource that ends before the run does. */
export function forget(resource: Resource): void {
  resources.delete(resource);
}

/** Stops everything, last started first. Every stop runs, even if others fail. */
export async function teardown(): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of [...resources].reverse()) {
    resources.delete(resource);
    await resource.stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, 'testkit: not everything stopped');
}
