import { EmbeddedEngineError, startEmbeddedPostgres, startEmbeddedValkey } from '@parley/embedded';
import { startSimulator } from '@parley/provider-simulator';
import { defaultConnection } from '@parley/providers';
import { StartupError, type ConfigOf, type Process } from '@parley/service-kit';
import type { DataDir } from './data-dir.js';

export type EngineOptions = Pick<
  Process<'standalone'>,
  'config' | 'logger' | 'lifecycle' | 'fail'
> & {
  dataDir: DataDir;
  say: (line: string) => void;
};

type Found = 'DATABASE_URL' | 'REDIS_URL' | 'SECRETS_KEY';

/** The settings of every app that runs here. */
export type WholeConfig = ConfigOf<'standalone'> &
  Readonly<Record<Found, string>> & { readonly STORE_WAIT_SECONDS: number };

/** On a busy machine, an engine that has started may still be slow to answer. */
const engineWaitSeconds = 60;

/**
 * Starts everything that no setting names, and adds it to the settings. From here on, everything
 * works as in a deployment.
 */
export async function startEngines(options: EngineOptions): Promise<WholeConfig> {
  const { config, dataDir } = options;
  const hasOwnStores = config.DATABASE_URL === undefined && config.REDIS_URL === undefined;
  return {
    ...config,
    STORE_WAIT_SECONDS: hasOwnStores ? engineWaitSeconds : 0,
    DATABASE_URL: config.DATABASE_URL ?? (await startPostgres(options)),
    REDIS_URL: config.REDIS_URL ?? (await startValkey(options)),
    SECRETS_KEY: config.SECRETS_KEY ?? (await dataDir.secretsKey()),
    ...(!defaultConnection(config) && (await startProvider(options))),
  };
}

async function startPostgres(options: EngineOptions): Promise<string> {
  const { dataDir, logger, lifecycle, say } = options;
  say('PostgreSQL: starting the embedded one (set DATABASE_URL to use another)');
  const server = await startEmbeddedPostgres({
    dataDir: dataDir.path,
    onProgress: (message) => say(`PostgreSQL: ${message}`),
    onLog: (line) => logger.debug({ line }, 'postgres'),
    onExit: (error) => options.fail(explained(error)),
  }).catch(explain);
  lifecycle.add('embedded postgres', () => server.stop());
  return server.url;
}

async function startValkey({ logger, lifecycle, say, fail }: EngineOptions): Promise<string> {
  say('Redis: starting the embedded Valkey (set REDIS_URL to use another)');
  const server = await startEmbeddedValkey({
    onLog: (line) => logger.debug({ line }, 'valkey'),
    onExit: (error) => fail(explained(error)),
  }).catch(explain);
  lifecycle.add('embedded valkey', () => server.stop());
  return server.url;
}

/** Without a provider in the settings, the simulator answers. */
async function startProvider({ logger, lifecycle, say }: EngineOptions) {
  say('Provider: starting the simulator (set OPENAI_API_KEY or PROVIDER_KIND to use another)');
  const simulator = await startSimulator({ logger: logger.child({ part: 'provider-simulator' }) });
  lifecycle.add('provider simulator', () => simulator.close());
  const own = { PROVIDER_BASE_URL: simulator.url, PROVIDER_API_KEY: 'simulator' };
  return { PROVIDER_KIND: 'simulator', ...own } as const;
}

/** An engine that does not start, or dies later, is reported in one line, too. */
function explained(error: unknown): unknown {
  return error instanceof EmbeddedEngineError ? new StartupError(error.message) : error;
}

function explain(error: unknown): never {
  throw explained(error);
}
