import {
  createLifecycle,
  createLogger,
  createMetrics,
  createReadiness,
  reportStartupFailure,
  requireConfig,
  startInternalServer,
} from '@parley/service-kit';
import { startSimulator } from './simulator.js';

const app = 'provider-simulator';
const stopMs = 5000;

async function main(): Promise<void> {
  const { config, warnings } = requireConfig(app, process.env);
  const logger = createLogger({ app, level: config.LOG_LEVEL });
  for (const warning of warnings) logger.warn({ warning }, 'unknown setting');
  const { registry } = createMetrics({ app });
  const readiness = createReadiness();
  const lifecycle = createLifecycle({ logger, timeoutMs: stopMs });
  lifecycle.onSignals(process, (code) => process.exit(code));

  const { HOST: host, PORT, INTERNAL_PORT } = config;
  const internal = await startInternalServer({ host, port: INTERNAL_PORT, registry, readiness });
  lifecycle.add('internal server', () => internal.close());
  // Nobody looks into the connections of a process that runs on its own.
  const settings = { keepFrames: 0 };
  const simulator = await startSimulator({ host, port: PORT, logger, settings });
  lifecycle.add('simulator', () => simulator.close());
  lifecycle.add('readiness', () => readiness.draining());
  readiness.started();
  logger.info({ port: simulator.port, internalPort: internal.port }, 'ready');
}

main().catch(reportStartupFailure);
