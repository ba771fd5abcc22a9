import {
  createSecretBox,
  isDatabaseAway,
  isDatabaseUnavailable,
  isStatementTimeout,
  migrate,
} from '@parley/database';
import {
  connectOrStartEmbeddedPostgres,
  EmbeddedEngineError,
  readSecretsKey,
} from '@parley/embedded';
import { quotaDefaults } from '@parley/protocol';
import {
  reportStartupFailure,
  requireConfig,
  StartupError,
  unusableSetting,
} from '@parley/service-kit';
import { help, readArguments, run, wantsHelp } from './command-line.js';
import { UsageError } from './usage.js';

async function main(): Promise<boolean> {
  const request = readArguments(process.argv.slice(2));
  if (wantsHelp(request)) {
    console.log(help());
    return true;
  }
  const { config } = requireConfig('admin', process.env);
  const terminal = { stdin: process.stdin, print: (text: string) => console.log(text) };
  const secretBox = async () => {
    const isEmbedded = config.DATABASE_URL === undefined;
    const kept = isEmbedded ? await readSecretsKey(config.DATA_DIR) : undefined;
    const key = config.SECRETS_KEY ?? kept;
    if (key !== undefined) return createSecretBox(key, config.SECRETS_KEY_PREVIOUS);
    throw new UsageError('SECRETS_KEY is missing: set it to the key that the processes use.');
  };
  const quotas = quotaDefaults(config);
  const publicUrl = config.PUBLIC_URL ?? 'http://localhost:8080';
  if (config.DATABASE_URL !== undefined)
    return run(request, { url: config.DATABASE_URL, secretBox, quotas, publicUrl }, terminal);
  const server = await connectOrStartEmbeddedPostgres({ dataDir: config.DATA_DIR });
  try {
    await migrate(server.url);
    return await run(request, { url: server.url, secretBox, quotas, publicUrl }, terminal);
  } finally {
    await server.stop();
  }
}

function explain(error: unknown): unknown {
  if (error instanceof UsageError)
    return new StartupError(`${error.message}\nRun npm run admin -- help for a list of commands.`);
  if (error instanceof EmbeddedEngineError)
    return new StartupError(`${error.message}\nSet DATABASE_URL to use another database.`);
  if (isStatementTimeout(error))
    return new StartupError('PostgreSQL took too long and gave up. Run the command again.');
  return isDatabaseUnavailable(error) ? unusableSetting('DATABASE_URL', error) : error;
}

/** EX_CONFIG of sysexits.h tells the chart's Job that trying again does not help. */
function exitCodeOf(error: unknown): number {
  return isDatabaseUnavailable(error) && !isDatabaseAway(error) ? 78 : 1;
}

main().then(
  (ok) => (process.exitCode = ok ? 0 : 1),
  (error: unknown) => reportStartupFailure(explain(error), { code: exitCodeOf(error) }),
);
