import type { Logger } from 'pino';
import { requireConfig, type ConfigOf, type Environment } from './config.js';
import { drainBudget, type DrainBudget } from './drain-budget.js';
import { startInternalServer, type InternalServer } from './internal-server.js';
import { createLifecycle, type Lifecycle } from './lifecycle.js';
import { createLogger } from './logger.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createReadiness } from './readiness.js';
import type { AppName } from './setting.js';
import type { Tracing } from './span.js';
import { reportStartupFailure } from './startup.js';
import { reachableHost } from './reachable-host.js';
import { openTracing } from './tracing.js';

/** What an app is opened with, in its own process or next to other apps. */
export type Host<Config> = {
  readonly app: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: Metrics['registry'];
  readonly tracing: Tracing;
  readonly budget: DrainBudget;
  /** Stops what an app opens together with the process, last first. */
  readonly lifecycle: Pick<Lifecycle, 'add'>;
  /** The internal port, by which processes of the same deployment reach each other. */
  readonly internal?: InternalPort;
};

export type InternalPort = Pick<InternalServer, 'onUpgrade'> & {
  /** host:port */
  readonly address: string;
};

/** The settings of an app, without those that its process handles itself. */
export type AppConfig<App extends AppName> = Omit<
  ConfigOf<App>,
  | 'MIGRATE_ON_START'
  | 'STORE_WAIT_SECONDS'
  | 'DRAIN_LAG_SECONDS'
  | 'DRAIN_TIMEOUT_SECONDS'
  | 'INTERNAL_HOST'
>;

export type Process<App extends AppName> = Host<ConfigOf<App>> & {
  /** Stops everything and ends the process, with the reason on the last line. */
  readonly fail: (error: unknown) => void;
};

export type ProcessOptions = {
  readonly env: Environment;
  /** Where the internal port listens; HOST if absent. */
  readonly internalHost?: string;
  /** Receives warnings about settings that nothing reads; goes to the log if absent. */
  readonly warn?: (warning: string) => void;
};

/** Facts for the log line that says that an app is ready; undefined if something else logs it. */
export type Started = { readonly port?: number } | undefined;

/**
 * A whole process: reads its settings, responds on the internal port from the first moment, starts
 * its app, and stops on a signal: it becomes unready, then stops everything within the drain
 * budget, last started first.
 */
export async function runProcess<App extends Exclude<AppName, 'admin'>>(
  app: App,
  options: ProcessOptions,
  start: (own: Process<App>) => Promise<Started>,
): Promise<void> {
  let stop = () => Promise.resolve();
  const fail = (error: unknown) => void stop().then(() => reportStartupFailure(error));
  try {
    const { config, warnings } = requireConfig<Exclude<AppName, 'admin'>>(app, options.env);
    const logger = createLogger({ app, level: config.LOG_LEVEL });
    const { warn = (warning: string) => logger.warn({ warning }, 'unknown setting') } = options;
    for (const warning of warnings) warn(warning);
    const { registry } = createMetrics({ app });
    const readiness = createReadiness();
    const budget = drainBudget(config);
    const lifecycle = createLifecycle({ logger, timeoutMs: budget.totalMs });
    lifecycle.onSignals(process, (code) => process.exit(code));
    stop = () => lifecycle.shutdown('failure');
    const { HOST, INTERNAL_PORT: port } = config;
    const at = { host: options.internalHost ?? HOST, port };
    const internal = await startInternalServer({ ...at, registry, readiness, logger });
    lifecycle.add('internal server', () => internal.close());
    const endpoint =
      'OTEL_EXPORTER_OTLP_ENDPOINT' in config ? config.OTEL_EXPORTER_OTLP_ENDPOINT : undefined;
    const tracing = await openTracing({ app, endpoint, lifecycle, logger });
    const advertised = 'INTERNAL_HOST' in config ? config.INTERNAL_HOST : undefined;
    const address = `${reachableHost(at.host, advertised)}:${internal.port}`;
    const reachable = { address, onUpgrade: internal.onUpgrade };
    const own = { app, logger, registry, tracing, budget, lifecycle, internal: reachable, fail };
    const started = await start({ ...own, config });
    lifecycle.add('readiness', () => readiness.draining());
    readiness.started();
    if (started) logger.info({ ...started, internalPort: internal.port }, 'ready');
  } catch (error) {
    fail(error);
  }
}
