import {
  createLifecycle,
  createLogger,
  createMetrics,
  drainBudget,
  noTracing,
  type Host,
} from '@parley/service-kit';

export type TestHost<Config> = Host<Config> & {
  /** The log so far, line by line. */
  readonly lines: string[];
  /** Stops what was opened, as a process does. */
  stop(): Promise<void>;
};

/** What an app is opened with in a test, all of it separate from other tests. */
export function testHost<Config>(
  app: string,
  config: Config,
  onLine: (line: string) => void = () => undefined,
): TestHost<Config> {
  const lines: string[] = [];
  const destination = {
    write(line: string) {
      lines.push(line);
      onLine(line);
    },
  };
  const budget = drainBudget(config as Parameters<typeof drainBudget>[0]);
  const logger = createLogger({ app, level: 'trace', destination });
  const lifecycle = createLifecycle({ logger, timeoutMs: budget.totalMs });
  const { registry } = createMetrics({ app });
  return {
    ...{ app, config, logger, registry, lifecycle, budget, lines },
    tracing: noTracing,
    stop: () => lifecycle.shutdown('test'),
  };
}
