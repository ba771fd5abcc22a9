import { join } from 'node:path';
import { runNode, type Standalone } from '@parley/testkit';
import { Parley } from '#src/server/index.js';

const admin = join(import.meta.dirname, '../../../../../apps/admin/dist/main.js');

/** A client of another organization of the same deployment. */
export async function secondTenant(parley: Standalone): Promise<Parley> {
  const run = async (...args: string[]): Promise<Record<string, string>> => {
    const env = { DATABASE_URL: parley.databaseUrl };
    const program = runNode([admin, ...args, '--json'], { env });
    if ((await program.ended) !== 0) throw new Error(program.output);
    return JSON.parse(program.output) as Record<string, string>;
  };
  const { id: organizationId = '' } = await run('org', 'create', '--name', 'Second');
  const { apiKey = '' } = await run('key', 'create', '--org', organizationId, '--name', 'k');
  return new Parley({ baseUrl: parley.credentials.baseUrl, apiKey, organizationId });
}
