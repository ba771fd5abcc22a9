import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@parley/embedded';
import { appProgram, runNode } from './run-program.js';
import { temporaryFolder } from './temporary-folder.js';
import { testDatabase } from './test-database.js';
import { testRedis } from './test-redis.js';

const main = appProgram('standalone');

export type Standalone = {
  readonly credentials: {
    readonly baseUrl: string;
    readonly organizationId: string;
    readonly apiKey: string;
    readonly agentId: string;
  };
  readonly credentialsFile: string;
  /** The console's sign-in link, as printed. It works once. */
  readonly signInLink: string;
  readonly databaseUrl: string;
  readonly internalPort: number;
  stop(): Promise<void>;
};

/** Starts what `npm start` runs, on the stores of the test run. */
export async function startStandalone(env: Record<string, string> = {}): Promise<Standalone> {
  const dataDir = join(await temporaryFolder(), 'data');
  const database = await testDatabase();
  const internalPort = await freePort();
  const own = {
    PORT: '0',
    INTERNAL_PORT: String(internalPort),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    REDIS_URL: (await testRedis()).url,
  };
  const parley = runNode([main], { env: { ...own, ...env } });
  await parley.line(/Parley is ready/);
  const credentialsFile = join(dataDir, 'credentials.json');
  return {
    credentials: JSON.parse(await readFile(credentialsFile, 'utf8')) as Standalone['credentials'],
    credentialsFile,
    signInLink: /\S+#sign-in=\S+/.exec(parley.output)?.[0] ?? '',
    databaseUrl: database.url,
    internalPort,
    async stop() {
      parley.child.kill('SIGINT');
      await parley.ended;
    },
  };
}
