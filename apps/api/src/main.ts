import './favour-memory.js';
import { bootstrapOrganization, type Database } from '@parley/database';
import { openParts } from '@parley/parts';
import { earlyAnswer } from '@parley/protocol';
import { runProcess, serve, type ConfigOf } from '@parley/service-kit';
import { open } from './open.js';

await runProcess('api', { env: process.env }, async (own) => {
  const { config, logger } = own;
  const log = (applied: readonly string[]) => logger.info({ applied }, 'migrated');
  const parts = await openParts(own, { onMigrated: config.MIGRATE_ON_START ? log : undefined });
  if (!(await bootstrap(parts.database, config)))
    logger.warn(
      { organizationId: config.BOOTSTRAP_ORG_ID },
      'organization in BOOTSTRAP_ORG_ID was deleted',
    );
  return serve(own, { ...(await open(parts)), answerFor: earlyAnswer });
});

async function bootstrap(database: Database, config: ConfigOf<'api'>): Promise<boolean> {
  const { BOOTSTRAP_ORG_ID: organizationId, BOOTSTRAP_API_KEY: apiKey } = config;
  if (organizationId === undefined) return true;
  const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = config;
  const owner = email === undefined ? undefined : { email, password };
  const named = { organizationName: 'Bootstrap', keyName: 'bootstrap' };
  return bootstrapOrganization(database, { organizationId, apiKey, owner, ...named });
}
