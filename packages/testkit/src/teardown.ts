// Everything that the testkit starts is registered here and ends with the mocha process: by the global teardown, by a
// signal, or, when the process exits in any other way, by what can be done without waiting.

export interface Resource {
  stop(): Promise<void>;
  /** The part of stop() that must happen even while the process exits. */
  stopNow?(): void;
}

const resources = new Set<Resource>();
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
let listening = false;

export function stopAtTeardown(resource: Resource): void {
  resources.add(resource);
  if (listening) return;
  listening = true;
  process.once('exit', stopAllNow);
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => void teardown().finally(() => process.exit(code)));
}

/** For what ends before the run does. */
export function forget(resource: Resource): void {
  resources.delete(resource);
}

/** Stops everything, last started first. Every stop runs, whatever becomes of the others. */
export async function teardown(): Promise<void> {
  const failures: unknown[] = [];
  for (const resource of [...resources].reverse()) {
    try {
      await resource.stop();
      resources.delete(resource);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'testkit: not everything stopped');
}

function stopAllNow(): void {
  for (const resource of [...resources].reverse()) resource.stopNow?.();
}
