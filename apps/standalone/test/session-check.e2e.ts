import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  appProgram,
  freePort,
  runNode,
  temporaryFolder,
  type RunningProgram,
} from '@parley/testkit';

const main = appProgram('standalone');
const check = join(import.meta.dirname, '../../realtime-gateway/dist/session-check/main.js');

type Credentials = { baseUrl: string; organizationId: string; apiKey: string; agentId: string };

describe('session check', () => {
  let parley: RunningProgram;
  let env: Record<string, string>;
  let credentials: Credentials;

  before(async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    parley = runNode([main], { env: { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir } });
    await parley.line(/Parley is ready/);
    const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
    credentials = JSON.parse(text) as Credentials;
    env = {
      CHECK_API_URL: credentials.baseUrl,
      CHECK_ORG_ID: credentials.organizationId,
      CHECK_API_KEY: credentials.apiKey,
    };
  });

  after(async () => {
    parley.child.kill('SIGTERM');
    expect(await parley.ended).to.equal(0);
  });

  const agents = async (): Promise<number> => {
    const reply = await fetch(`${credentials.baseUrl}/api/v1/Agent`, {
      headers: { 'X-Api-Key': credentials.apiKey, 'X-Org-Id': credentials.organizationId },
    });
    return ((await reply.json()) as { total: number }).total;
  };

  it('talks to an agent of its own, and leaves none behind', async () => {
    const before = await agents();
    const program = runNode([check], { env });
    expect(await program.ended, program.output).to.equal(0);
    expect(program.output).to.match(/^The agent answered: .*\w/);
    expect(await agents()).to.equal(before);
  });

  it('talks to the agent that it is given', async () => {
    const program = runNode([check], { env: { ...env, CHECK_AGENT_ID: credentials.agentId } });
    expect(await program.ended, program.output).to.equal(0);
    expect(program.output).to.match(/^The agent answered: .*\w/);
  });

  const failures: [string, (good: Record<string, string>) => Promise<Env>, RegExp][] = [
    [
      'a key that is not valid',
      (good) => Promise.resolve({ ...good, CHECK_API_KEY: 'parley_demo_no' }),
      /^Check failed: POST \/api\/v1\/Agent was answered 401: /,
    ],
    [
      'an api that is not there',
      async (good) => ({ ...good, CHECK_API_URL: `http://127.0.0.1:${await freePort()}` }),
      /^Check failed: POST \/api\/v1\/Agent was not answered: connect ECONNREFUSED/,
    ],
    [
      'a gateway that is not there',
      async (good) => ({ ...good, CHECK_REALTIME_URL: `http://127.0.0.1:${await freePort()}` }),
      /^Check failed: the WebSocket failed: connect ECONNREFUSED/,
    ],
    ['settings that are missing', () => Promise.resolve({}), /are required/],
  ];
  for (const [title, settings, line] of failures)
    it(`fails with one clear line on ${title}, and leaves no agent behind`, async () => {
      const before = await agents();
      const program = runNode([check], { env: await settings(env) });
      expect(await program.ended).to.equal(1);
      expect(program.output.split('\n')).to.have.length(1);
      expect(program.output).to.match(line).and.not.include(credentials.apiKey);
      expect(await agents()).to.equal(before);
    });
});

type Env = Record<string, string>;
