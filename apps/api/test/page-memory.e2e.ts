import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { appProgram, runNode, testDatabase, testRedis, type RunningProgram } from '@parley/testkit';

const main = appProgram('api');
const organizationId = '7b6f4a52-0000-4000-8000-00000000f11e';
const apiKey = 'a-key-made-by-the-operator';
const headers = {
  'X-Api-Key': apiKey,
  'X-Org-Id': organizationId,
  Authorization: `Bearer ${apiKey}`,
};
const megabyte = 1024 * 1024;
const rows = 200;

describe('the memory of an api process that sends pages of long items', () => {
  let program: RunningProgram;
  let base: string;
  let database: pg.Client;

  before(async () => {
    const [{ url: DATABASE_URL }, { url: REDIS_URL }] = [await testDatabase(), await testRedis()];
    program = runNode(['--max-old-space-size=384', main], {
      env: {
        DATABASE_URL,
        REDIS_URL,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        HOST: '127.0.0.1',
        PORT: '0',
        INTERNAL_PORT: '0',
        BOOTSTRAP_ORG_ID: organizationId,
        BOOTSTRAP_API_KEY: apiKey,
        OPENAI_DOOR: 'true',
      },
    });
    const { port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number };
    base = `http://127.0.0.1:${port}`;
    database = new pg.Client({ connectionString: DATABASE_URL });
    await database.connect();
    const id = await createLongAgent();
    await database.query(
      `insert into agents (organization_id, name, description, system_message, voice, realtime_enabled, tools)
       select organization_id, name, description, system_message, voice, realtime_enabled, tools
       from agents, generate_series(2, $2) where id = $1`,
      [id, rows],
    );
    await database.query(
      `insert into audit_log (organization_id, sequence, occurred_at, actor, action, resource_type,
         resource_id, before, after, previous_hash, hash)
       select organization_id, sequence + n, occurred_at, actor, action, resource_type,
         resource_id, after, after, previous_hash, hash
       from audit_log, generate_series(1, $2) n where resource_id = $1`,
      [id, rows],
    );
  });
  after(async () => {
    await database.end();
    await program.stop();
  });

  const createLongAgent = async (): Promise<string> => {
    const tools = Array.from({ length: 16 }, (_, n) => ({
      kind: 'http',
      name: `tool_${n}`,
      description: 'Long',
      method: 'POST',
      url: 'https://example.com/',
      body: 'x'.repeat(60_000),
    }));
    const response = await fetch(`${base}/api/v1/Agent`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Long', tools }),
    });
    const { id } = (await response.json()) as { id: string };
    return id;
  };

  /** The size of an answer, and its last characters. */
  const read = async (path: string): Promise<{ bytes: number; end: string }> => {
    const response = await fetch(base + path, { headers });
    let [bytes, end] = [0, ''];
    for await (const chunk of response.body ?? []) {
      bytes += (chunk as Uint8Array).length;
      end = (end + Buffer.from(chunk as Uint8Array).toString()).slice(-40);
    }
    return { bytes, end };
  };

  const lists: [string, string, number][] = [
    ['agents', `/api/v1/Agent?Limit=${rows}`, 180],
    ['audit records', '/api/v1/AuditLog?Limit=100', 170],
  ];
  for (const [what, path, megabytes] of lists)
    it(`suffices for a page of ${what}`, async () => {
      const answer = await read(path);
      expect(answer.bytes).to.be.greaterThan(megabytes * megabyte);
      expect(answer.end).to.match(/"limit":\d+}$/);
    });

  it('suffices for an export of the audit log', async () => {
    expect((await read('/api/v1/AuditLog/export')).end).to.match(/}\n$/);
  });

  it('suffices for a list of models', async () => {
    expect((await read('/v1/models')).end).to.match(/]}$/);
  });
});
