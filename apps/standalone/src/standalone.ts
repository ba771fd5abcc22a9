import { open as openApi } from '@parley/api';
import { openParts } from '@parley/parts';
import { open as openGateway } from '@parley/realtime-gateway';
import { listen, stopServing, type Process } from '@parley/service-kit';
import { open as openWorker } from '@parley/worker';
import { useDataDir, type Credentials } from './data-dir.js';
import { startEngines } from './engines.js';
import { createFront } from './front.js';
import { seed, type SeedOptions } from './seed.js';
import { localUrl } from './welcome.js';

export type StandaloneOptions = Process<'standalone'> & { say: (line: string) => void };

/**
 * Runs every app in this process, on one public port. The port is bound first, so that a conflict
 * shows before any data is touched.
 */
export async function startStandalone(
  options: StandaloneOptions,
): Promise<{ credentials: Credentials; consoleUrl: string; dataDir: string }> {
  const { config: given, logger, say } = options;
  const { HOST: host, PORT } = given;
  const front = createFront(logger);
  const port = await listen(front.server, { host, port: PORT, setting: 'PORT' });
  const dataDir = await useDataDir(given.DATA_DIR);
  const config = await startEngines({ ...options, dataDir });
  const parts = await openParts(
    { ...options, config },
    {
      onMigrated: (applied) => say(`Database: ${applied.length} migration(s) applied`),
      forgetfulRedis: given.REDIS_URL === undefined,
    },
  );
  const { credentials, consoleUrl } = await seed({
    database: parts.database,
    baseUrl: config.PUBLIC_URL ?? localUrl(host, port),
    kept: await dataDir.readCredentials(),
    bootstrap: bootstrapOf(given),
  });
  await dataDir.writeCredentials(credentials);

  const partsOf = (part: string) => ({ ...parts, logger: logger.child({ part }) });
  await openWorker(partsOf('worker'));
  const gateway = await openGateway(partsOf('realtime-gateway'));
  const api = await openApi(partsOf('api'));
  front.open(api, gateway);
  stopServing(options, front.server, async () => {
    await gateway.drain();
    await api.drain();
  });
  return { credentials, consoleUrl, dataDir: dataDir.path };
}

function bootstrapOf(config: StandaloneOptions['config']): SeedOptions['bootstrap'] {
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = config;
  return {
    organizationId: config.BOOTSTRAP_ORG_ID,
    apiKey: config.BOOTSTRAP_API_KEY,
    owner: email === undefined ? undefined : { email, password },
  };
}
