import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  appProgram,
  freePort,
  runNode,
  testDatabase,
  testRedis,
  type RunningProgram,
} from '@parley/testkit';

const main = appProgram('api');
const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';
const apiKey = 'a-key-made-by-the-operator';

describe('an api process', () => {
  let stores: Record<string, string>;

  before(async () => {
    const [{ url: DATABASE_URL }, { url: REDIS_URL }] = [await testDatabase(), await testRedis()];
    stores = { DATABASE_URL, REDIS_URL, SECRETS_KEY: randomBytes(32).toString('base64') };
  });

  const start = (env: Record<string, string>): RunningProgram =>
    runNode([main], {
      env: { HOST: '127.0.0.1', PORT: '0', INTERNAL_PORT: '0', DRAIN_LAG_SECONDS: '0', ...env },
    });
  const portsOf = async (program: RunningProgram) =>
    JSON.parse(await program.line(/"msg":"ready"/)) as { port: number; internalPort: number };

  it('migrates and bootstraps once however many start together, serves, and ends with 0 on SIGTERM', async () => {
    const env = { ...stores, BOOTSTRAP_ORG_ID: organizationId, BOOTSTRAP_API_KEY: apiKey };
    const programs = [start(env), start(env), start(env)];
    const ports = await Promise.all(programs.map(portsOf));
    expect(programs.filter(({ output }) => output.includes('"msg":"migrated"'))).to.have.length(1);
    for (const { port, internalPort } of ports) {
      const headers = { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId };
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/Agent`, { headers })).status).to.equal(
        200,
      );
      expect((await fetch(`http://127.0.0.1:${internalPort}/readyz`)).status).to.equal(200);
      expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).to.equal(404);
      const tooMuch = { headers: { 'X-Long': 'x'.repeat(20_000) } };
      const refused = await fetch(`http://127.0.0.1:${port}/api/v1/Agent`, tooMuch);
      expect(await refused.json()).to.include({ type: '/docs/errors#headers-too-large' });
    }
    for (const { child } of programs) child.kill('SIGTERM');
    expect(await Promise.all(programs.map(({ ended }) => ended))).to.deep.equal([0, 0, 0]);
    for (const { output } of programs) expect(output).not.to.include(apiKey);
  });

  it('reports every missing setting together and ends with 1', async () => {
    const program = start({ RATE_LIMIT_PER_MINUTE: 'many' });
    expect(await program.ended).to.equal(1);
    for (const name of ['REDIS_URL', 'DATABASE_URL', 'SECRETS_KEY', 'RATE_LIMIT_PER_MINUTE'])
      expect(program.output).to.match(new RegExp(`^${name}`, 'm'));
  });

  it('ends with one line when files are to go to an S3 that it is not told of', async () => {
    const program = start({ ...stores, FILE_STORAGE: 's3' });
    expect(await program.ended).to.equal(1);
    expect(program.output).to.match(/^FILE_STORAGE cannot be used: s3 needs S3_BUCKET/m);
  });

  for (const setting of ['REDIS_URL', 'DATABASE_URL'])
    it(`ends with one line when ${setting} cannot be reached`, async () => {
      const scheme = setting === 'REDIS_URL' ? 'redis' : 'postgres';
      const unreachable = `${scheme}://127.0.0.1:${await freePort()}`;
      const program = start({ ...stores, [setting]: unreachable, STORE_WAIT_SECONDS: '0' });
      expect(await program.ended).to.equal(1);
      const complaint = program.output.split('\n').filter((line) => !line.startsWith('{'));
      expect(complaint).to.have.length(1);
      expect(complaint[0]).to.match(new RegExp(`^${setting} cannot be used: connect ECONNREFUSED`));
    });
});
