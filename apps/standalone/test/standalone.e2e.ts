import { createServer } from 'node:net';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { connectDatabase, findApiKeyByHash, revokeApiKey } from '@parley/database';
import { connectOrStartEmbeddedPostgres } from '@parley/embedded';
import { hashApiKey } from '@parley/protocol';
import { freePort, runNode, temporaryFolder, waitFor, type RunningProgram } from '@parley/testkit';

const main = join(import.meta.dirname, '../dist/main.js');

type Failure = [title: string, env: () => Promise<Record<string, string>>, line: RegExp];
type Credentials = { baseUrl: string; organizationId: string; apiKey: string; agentId: string };

const someCredentials: Credentials = {
  baseUrl: 'http://localhost',
  organizationId: '7b6f4a52-0000-4000-8000-00000000abcd',
  apiKey: 'x',
  agentId: '7b6f4a52-0000-4000-8000-00000000abcd',
};

describe('standalone', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = join(await temporaryFolder(), 'data');
  });

  const start = (env: Record<string, string> = {}): RunningProgram =>
    runNode([main], { env: { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir, ...env } });

  const ready = async (program: RunningProgram): Promise<Credentials> => {
    await program.line(/Parley is ready/);
    return JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  };

  const interrupt = async (program: RunningProgram): Promise<number | null> => {
    program.child.kill('SIGINT');
    return program.ended;
  };

  it('starts with nothing but Node, prints a curl line that works, and keeps its data through a restart', async () => {
    const first = start();
    const credentials = await ready(first);
    const list = (await (await perform(await first.line(/curl -H/))).json()) as {
      items: { id: string; tools: { approvalRequired?: boolean }[] }[];
    };
    expect(list.items.map(({ id }) => id)).to.deep.equal([credentials.agentId]);
    expect(list.items[0]!.tools.filter(({ approvalRequired }) => approvalRequired)).to.have.length(
      1,
    );
    expect((await stat(join(dataDir, 'credentials.json'))).mode & 0o777).to.equal(0o600);
    expect((await stat(join(dataDir, 'secrets.key'))).mode & 0o777).to.equal(0o600);
    expect(await interrupt(first)).to.equal(0);

    const second = start();
    const again = await ready(second);
    expect(again).to.deep.equal({ ...credentials, baseUrl: again.baseUrl });
    const reply = await fetch(`${again.baseUrl}/api/v1/Agent/${credentials.agentId}`, {
      headers: { 'X-Api-Key': credentials.apiKey, 'X-Org-Id': credentials.organizationId },
    });
    expect(reply.status).to.equal(200);
    expect(await interrupt(second)).to.equal(0);
  });

  it('lets a user talk to the demo agent over the WebSocket of a new session', async () => {
    const program = start();
    const { baseUrl, organizationId, apiKey, agentId } = await ready(program);
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
    const again = await fetch(`${baseUrl}${webSocketPath}`);
    expect(again.status).to.equal(426);
    expect(await interrupt(program)).to.equal(0);
  });

  it('runs the background jobs', async () => {
    const internalPort = await freePort();
    const program = start({ INTERNAL_PORT: String(internalPort) });
    await ready(program);
    const done = /^parley_job_runs_total\{job="purge-files",outcome="done",app="standalone"\} 1$/m;
    await waitFor(
      async () => done.test(await (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text()),
      { what: 'the first run of purge-files' },
    );
    expect(await interrupt(program)).to.equal(0);
  });

  it('uses the organization and the key that it is configured with', async () => {
    const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';
    const program = start({
      BOOTSTRAP_ORG_ID: organizationId.toUpperCase(),
      BOOTSTRAP_API_KEY: 'a-key-of-our-own-choosing',
    });
    expect(await ready(program)).to.include({
      organizationId,
      apiKey: 'a-key-of-our-own-choosing',
    });
    const { baseUrl } = await ready(program);
    const reply = await fetch(`${baseUrl}/api/v1/Agent`, {
      headers: { 'X-Api-Key': 'a-key-of-our-own-choosing', 'X-Org-Id': organizationId },
    });
    expect(reply.status).to.equal(200);
    expect(await interrupt(program)).to.equal(0);
  });

  it('makes a new key, not a new organization, when the kept one was revoked', async () => {
    const first = start();
    const { organizationId, apiKey, agentId } = await ready(first);
    const postgres = await connectOrStartEmbeddedPostgres({ dataDir });
    const database = connectDatabase({ url: postgres.url });
    await database.asSystem(async (system) => {
      const key = await findApiKeyByHash(system, hashApiKey(apiKey));
      await revokeApiKey(system, key!.id);
    });
    await database.close();
    await postgres.stop();
    expect(await interrupt(first)).to.equal(0);

    const second = start();
    const again = await ready(second);
    expect(again).to.include({ organizationId, agentId });
    const reply = await fetch(`${again.baseUrl}/api/v1/Agent/${agentId}`, {
      headers: { 'X-Api-Key': again.apiKey, 'X-Org-Id': organizationId },
    });
    expect(reply.status).to.equal(200);
    expect(await interrupt(second)).to.equal(0);
  });

  it('ends with one clear line when its PostgreSQL is killed', async () => {
    const program = start();
    await ready(program);
    const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(lock, 10), 'SIGKILL');
    expect(await program.ended).to.equal(1);
    expect(program.output)
      .to.match(/^The embedded PostgreSQL has died: /m)
      .and.not.match(/^\s+at /m);
  });

  it('refuses a second start on the same data while the first one runs', async () => {
    const first = start();
    await ready(first);
    const second = start();
    expect(await second.ended).to.equal(1);
    expect(second.output).to.match(/DATA_DIR is in use by another Parley/);
    expect(await interrupt(first)).to.equal(0);
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
    [
      'a DATA_DIR that is a file',
      async () => ({ DATA_DIR: await file() }),
      /^DATA_DIR .* cannot be used: it is a file, not a folder$/,
    ],
    ['a DATA_DIR with a broken database', async () => ({ DATA_DIR: await brokenDatabase() }), /./],
    [
      'a DATA_DIR that can never be a folder',
      () => Promise.resolve({ DATA_DIR: '/proc/parley' }),
      /^DATA_DIR .* cannot be used: there can be no folder of that name$/,
    ],
    ...['{', '{}', '"text"', JSON.stringify({ ...someCredentials, agentId: 'one' })].map(
      (text): Failure => [
        `a DATA_DIR with the credentials ${text.slice(0, 20)}`,
        async () => ({ DATA_DIR: await folderWith('credentials.json', text) }),
        /credentials\.json does not hold credentials: repair or delete it/,
      ],
    ),
    [
      'a DATA_DIR with a broken key',
      async () => ({ DATA_DIR: await folderWith('secrets.key', 'short') }),
      /secrets\.key does not hold a key of 32 bytes: restore it/,
    ],
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
    [
      'a BOOTSTRAP_ORG_ID that is no UUID',
      () => Promise.resolve({ BOOTSTRAP_ORG_ID: 'acme' }),
      /^BOOTSTRAP_ORG_ID="acme" .* a UUID$/,
    ],
  ];
  for (const [title, env, line] of failures)
    it(`ends with one clear line and code 1 on ${title}`, async () => {
      const program = start(await env());
      expect(await program.ended).to.equal(1);
      const complaint = program.output
        .split('\n')
        .filter((text) => !/^(Parley is starting| {2}|\{)/.test(text));
      expect(complaint, program.output).to.have.length(1);
      expect(complaint[0]).to.match(line);
    });

  it('warns about a setting that looks like a typo', async () => {
    const warned = start({ REALTIME_IDEL_TIMEOUT_SECONDS: '5' });
    await warned.line(/REALTIME_IDEL_TIMEOUT_SECONDS .*did you mean REALTIME_IDLE_TIMEOUT_SECONDS/);
    await ready(warned);
    expect(await interrupt(warned)).to.equal(0);
  });

  async function file(): Promise<string> {
    const path = join(await temporaryFolder(), 'file');
    await writeFile(path, '');
    return path;
  }

  async function brokenDatabase(): Promise<string> {
    const path = await temporaryFolder();
    await mkdir(join(path, 'postgres'));
    await writeFile(join(path, 'postgres', 'PG_VERSION'), '9.1\n');
    return path;
  }

  async function folderWith(name: string, text: string): Promise<string> {
    const path = await temporaryFolder();
    await writeFile(join(path, name), text);
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
