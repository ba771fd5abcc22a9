import { createServer } from 'node:net';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import {
  connectDatabase,
  findApiKeyByHash,
  revokeApiKey,
  updateApiKey,
  type OrganizationScope,
} from '@parley/database';
import { connectOrStartEmbeddedPostgres } from '@parley/embedded';
import { hashApiKey } from '@parley/protocol';
import {
  appProgram,
  freePort,
  runNode,
  temporaryFolder,
  testDatabase,
  testRedis,
  waitFor,
  type RunningProgram,
} from '@parley/testkit';

const main = appProgram('standalone');

type Failure = [title: string, env: () => Promise<Record<string, string>>, line: RegExp];
type Credentials = { baseUrl: string; organizationId: string; apiKey: string; agentId: string };

describe('standalone', () => {
  const start = (dataDir: string, env: Record<string, string> = {}): RunningProgram =>
    runNode([main], { env: { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir, ...env } });

  const ready = async (program: RunningProgram, dataDir: string): Promise<Credentials> => {
    await program.line(/Parley is ready/);
    return JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  };

  const interrupt = async (program: RunningProgram): Promise<number | null> => {
    program.child.kill('SIGINT');
    return program.ended;
  };
  const agent = ({ baseUrl, organizationId, apiKey, agentId }: Credentials) =>
    fetch(`${baseUrl}/api/v1/Agent/${agentId}`, {
      headers: { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId },
    });

  /** Each step goes on where the one before it has left the same data. */
  describe('with nothing but Node', () => {
    let dataDir: string;
    let internalPort: number;
    let program: RunningProgram;
    let credentials: Credentials;

    before(async () => {
      dataDir = join(await temporaryFolder(), 'data');
      internalPort = await freePort();
      program = start(dataDir, {
        INTERNAL_PORT: String(internalPort),
        REALTIME_IDEL_TIMEOUT_SECONDS: '5',
      });
      credentials = await ready(program, dataDir);
    });

    it('prints a curl line that works', async () => {
      const list = (await (await perform(await program.line(/curl -H/))).json()) as {
        items: { id: string; tools: { approvalRequired?: boolean }[] }[];
      };
      expect(list.items.map(({ id }) => id)).to.deep.equal([credentials.agentId]);
      const asking = list.items[0]!.tools.filter(({ approvalRequired }) => approvalRequired);
      expect(asking).to.have.length(1);
    });

    it('names the part of itself that writes a log line', async () => {
      const line = await program.line(/"msg":"request"/);
      expect(line.match(/"app":/g)).to.have.length(1);
      expect(JSON.parse(line)).to.include({ app: 'standalone', part: 'api' });
    });

    it('prints a link to the docs that works', async () => {
      const [, link = ''] = /^ +Docs +(\S+)$/.exec(await program.line(/^ +Docs /)) ?? [];
      const page = await fetch(link);
      expect([page.status, await page.text()].join(' ')).to.match(/^200 [^]*<h1[^>]*>Quick start/);
    });

    it('prints a link that signs its owner in to the console, once', async () => {
      const { baseUrl, organizationId } = credentials;
      const line = await program.line(/^ +Console: /);
      const [, token] =
        /^ +Console: http:\/\/localhost:\d+\/console\/#sign-in=(\S+)$/.exec(line) ?? [];
      const signIn = () =>
        fetch(`${baseUrl}/api/v1/SignIn`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Origin: baseUrl },
          body: JSON.stringify({ token }),
        });
      const { organizations } = (await (await signIn()).json()) as { organizations: object[] };
      expect(organizations).to.deep.equal([{ id: organizationId, name: 'Demo', role: 'owner' }]);
      expect((await signIn()).status).to.equal(401);
    });

    it('has a key for trials that manages neither keys nor members', async () => {
      const { baseUrl, organizationId, apiKey } = credentials;
      for (const path of ['ApiKey', 'Member']) {
        const headers = { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId };
        expect((await fetch(`${baseUrl}/api/v1/${path}`, { headers })).status).to.equal(403);
      }
    });

    it('warns about a setting that looks like a typo', () => {
      expect(program.output).to.match(
        /REALTIME_IDEL_TIMEOUT_SECONDS .*did you mean REALTIME_IDLE_TIMEOUT_SECONDS/,
      );
    });

    it('lets a user talk to the demo agent over the WebSocket of a new session', async () => {
      const { baseUrl, organizationId, apiKey, agentId } = credentials;
      const reply = await fetch(`${baseUrl}/api/v1/Agent/${agentId}/realtime-session`, {
        method: 'POST',
        headers: { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId },
      });
      const { webSocketPath } = (await reply.json()) as { webSocketPath: string };
      const said = await talk(
        new WebSocket(`${baseUrl.replace('http', 'ws')}${webSocketPath}`),
        '!say Good morning!',
      );
      expect(said).to.equal('Good morning!');
      expect((await fetch(`${baseUrl}${webSocketPath}`)).status).to.equal(426);
    });

    it('runs the background jobs', async () => {
      const done =
        /^parley_job_runs_total\{job="purge-files",outcome="done",app="standalone"\} 1$/m;
      const metrics = async () => (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text();
      await waitFor(async () => done.test(await metrics()), { what: 'the run of purge-files' });
      expect(await metrics()).to.match(done);
    });

    it('refuses a second start on the same data while the first one runs', async () => {
      const second = start(dataDir);
      expect(await second.ended).to.equal(1);
      expect(second.output).to.match(/DATA_DIR is in use by another Parley/);
    });

    it('keeps its data through a restart', async () => {
      expect(await interrupt(program)).to.equal(0);
      program = start(dataDir);
      const again = await ready(program, dataDir);
      expect(again).to.deep.equal({ ...credentials, baseUrl: again.baseUrl });
      expect((await agent(again)).status).to.equal(200);
    });

    const ends: [string, (scope: OrganizationScope, id: string) => Promise<unknown>][] = [
      ['was revoked', revokeApiKey],
      ['has expired', (scope, id) => updateApiKey(scope, { id, expiresAt: new Date() })],
    ];
    for (const [what, end] of ends)
      it(`makes a new key, not a new organization, when the kept one ${what}`, async () => {
        const { apiKey, organizationId, agentId } = credentials;
        const postgres = await connectOrStartEmbeddedPostgres({ dataDir });
        const database = connectDatabase({ url: postgres.url });
        await database.asSystem(async (system) => {
          const key = await findApiKeyByHash(system, hashApiKey(apiKey));
          await end({ ...system, organizationId }, key!.id);
        });
        await database.close();
        await postgres.stop();
        expect(await interrupt(program)).to.equal(0);

        program = start(dataDir);
        const again = await ready(program, dataDir);
        expect(again).to.include({ organizationId, agentId });
        expect((await agent(again)).status).to.equal(200);
        credentials = again;
      });

    it('ends with one clear line when its PostgreSQL is killed', async () => {
      const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number.parseInt(lock, 10), 'SIGKILL');
      expect(await program.ended).to.equal(1);
      expect(program.output)
        .to.match(/^The embedded PostgreSQL has died: /m)
        .and.not.match(/^\s+at /m);
    });
  });

  it('uses the stores, the organization and the key that it is configured with', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';
    const program = start(dataDir, {
      DATABASE_URL: (await testDatabase()).url,
      REDIS_URL: (await testRedis()).url,
      BOOTSTRAP_ORG_ID: organizationId.toUpperCase(),
      BOOTSTRAP_API_KEY: 'a-key-of-our-own-choosing',
    });
    const credentials = await ready(program, dataDir);
    expect(credentials).to.include({ organizationId, apiKey: 'a-key-of-our-own-choosing' });
    expect((await agent(credentials)).status).to.equal(200);
    expect(await interrupt(program)).to.equal(0);
  });

  const failures: Failure[] = [
    [
      'a public port in use',
      async () => ({ PORT: String(await occupiedPort()) }),
      /^Port \d+ on 0\.0\.0\.0 is in use: .*PORT/,
    ],
    [
      'an internal port in use',
      async () => ({ INTERNAL_PORT: String(await occupiedPort()) }),
      /^Port \d+ on 127\.0\.0\.1 is in use: .*INTERNAL_PORT/,
    ],
    ['a DATA_DIR with a broken database', async () => ({ DATA_DIR: await brokenDatabase() }), /./],
    [
      'an unreachable REDIS_URL',
      async () => ({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` }),
      /^REDIS_URL cannot be used: connect ECONNREFUSED/,
    ],
    [
      'an unreachable DATABASE_URL',
      async () => ({ DATABASE_URL: `postgres://x@127.0.0.1:${await freePort()}/x` }),
      /^DATABASE_URL cannot be used: connect ECONNREFUSED/,
    ],
    [
      'a setting that cannot be read',
      () => Promise.resolve({ PORT: 'eighty' }),
      /^PORT="eighty" is not a whole number/,
    ],
  ];
  for (const [title, env, line] of failures)
    it(`ends with one clear line and code 1 on ${title}`, async () => {
      const stores = {
        DATABASE_URL: (await testDatabase()).url,
        REDIS_URL: (await testRedis()).url,
      };
      const given = await env();
      const isEmbedded = 'DATA_DIR' in given;
      const program = start(join(await temporaryFolder(), 'data'), {
        ...(!isEmbedded && stores),
        ...given,
      });
      expect(await program.ended).to.equal(1);
      const complaint = program.output
        .split('\n')
        .filter((text) => !/^(Parley is starting| {2}|\{)/.test(text));
      expect(complaint, program.output).to.have.length(1);
      expect(complaint[0]).to.match(line);
    });

  async function brokenDatabase(): Promise<string> {
    const path = await temporaryFolder();
    await mkdir(join(path, 'postgres'));
    await writeFile(join(path, 'postgres', 'PG_VERSION'), '9.1\n');
    return path;
  }
});

/** Sends what the curl line says; curl itself may not be installed. */
function perform(line: string): Promise<Response> {
  const [, headers = '', url = ''] = /^ +curl((?: -H '[^']+')+) (\S+)$/.exec(line) ?? [];
  const pairs = [...headers.matchAll(/'([^:]+): ([^']+)'/g)];
  return fetch(url, { headers: pairs.map(([, name = '', value = '']) => [name, value]) });
}

/** One text turn: what the agent answered, as its transcript says. */
function talk(socket: WebSocket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject).on('close', (code) => reject(new Error(`closed with ${code}`)));
    socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString()) as { type: string; transcript?: string };
      if (event.type === 'session.updated') {
        const content = [{ type: 'input_text', text }];
        socket.send(
          JSON.stringify({
            type: 'conversation.item.create',
            item: { type: 'message', role: 'user', content },
          }),
        );
        socket.send(JSON.stringify({ type: 'response.create' }));
      }
      if (event.type === 'response.output_audio_transcript.done') resolve(event.transcript ?? '');
    });
  });
}

async function occupiedPort(): Promise<number> {
  const server = createServer().unref();
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  return (server.address() as { port: number }).port;
}
