import { EmbeddedEngineError } from '@parley/embedded';
import {
  createLifecycle,
  createLogger,
  reportStartupFailure,
  requireConfig,
  StartupError,
} from '@parley/service-kit';
import { startStandalone } from './standalone.js';
import { welcome } from './welcome.js';

// One person's server: stopping should feel immediate, and nobody waits behind a load balancer.
const shutdownTimeoutMs = 15_000;

async function main(): Promise<void> {
  const { OPENAI_DOOR: door = '' } = process.env;
  // One person's server lets every client in that has a key.
  const env = { ...process.env, OPENAI_DOOR: door === '' ? 'true' : door };
  const { config, warnings } = requireConfig('standalone', env);
  for (const warning of warnings) console.warn(warning);
  const logger = createLogger({ app: 'standalone', level: config.LOG_LEVEL });
  const lifecycle = createLifecycle({ logger, timeoutMs: shutdownTimeoutMs });
  lifecycle.onSignals(process, (code) => process.exit(code));
  const fail = (error: unknown) =>
    void lifecycle.shutdown('failure').then(() => reportStartupFailure(explain(error)));
  try {
    console.log('Parley is starting …');
    const say = (line: string) => console.log(`  ${line}`);
    const { credentials, consoleUrl, dataDir } = await startStandalone({
      config,
      logger,
      lifecycle,
      say,
      onFailure: fail,
    });
    console.log(welcome(credentials, { consoleUrl, dataDir }));
  } catch (error) {
    fail(error);
  }
}

/** An engine that does not start, or dies later, is told in one line too. */
function explain(error: unknown): unknown {
  return error instanceof EmbeddedEngineError ? new StartupError(error.message) : error;
}

main().catch(reportStartupFailure);
