import { appProgram, runNode, type Standalone } from '@parley/testkit';
import { Parley } from '#src/server/index.js';

const admin = appProgram('admin');

/** What the administrator's command line answers. */
async function run(parley: Standalone, ...args: string[]): Promise<Record<string, string>> {
  const env = { DATABASE_URL: parley.databaseUrl };
  const program = runNode([admin, ...args, '--json'], { env });
  if ((await program.ended) !== 0) throw new Error(program.output);
  return JSON.parse(program.output) as Record<string, string>;
}

/** A client of another organization of the same deployment. */
export async function secondTenant(parley: Standalone): Promise<Parley> {
  const { id: organizationId = '' } = await run(parley, 'org', 'create', '--name', 'Second');
  const key = ['--org', organizationId, '--name', 'k'];
  const { apiKey = '' } = await run(parley, 'key', 'create', ...key);
  return new Parley({ baseUrl: parley.credentials.baseUrl, apiKey, organizationId });
}

/** A client of the same organization that may look after its keys and members. */
export async function administratorOf(parley: Standalone): Promise<Parley> {
  const { organizationId, baseUrl } = parley.credentials;
  const key = ['--org', organizationId, '--name', 'admin', '--scopes', 'admin,agents'];
  const { apiKey = '' } = await run(parley, 'key', 'create', ...key);
  return new Parley({ baseUrl, apiKey, organizationId });
}
