import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectDatabase, insertApiKey, insertOrganization, type Database } from '@parley/database';
import {
  appProgram,
  needs,
  runNode,
  testDatabase,
  testRedis,
  type RunningProgram,
  type TestDatabase,
} from '@parley/testkit';

/** `npm run bench:audit` asks for a million. */
const records = Number(process.env['AUDIT_RECORDS'] ?? 50_000);
/** Beyond what the process takes at rest. Whoever held the records would need more for them, their text and the garbage. */
const limitMiB = 120;
const main = appProgram('api');
const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';
const apiKey = 'a-key-made-by-the-operator';

describe(`an export of ${records} audit records`, function () {
  this.timeout(900_000);
  needs('linux');
  let store: TestDatabase;
  let database: Database;
  let program: RunningProgram;
  let port: number;

  before(async () => {
    store = await testDatabase();
    program = runNode([main], {
      env: {
        DATABASE_URL: store.url,
        REDIS_URL: (await testRedis()).url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        HOST: '127.0.0.1',
        PORT: '0',
        INTERNAL_PORT: '0',
      },
    });
    ({ port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number });
    database = connectDatabase({ url: store.url });
    await database.asSystem(async (system) => {
      await insertOrganization(system, { id: organizationId, name: 'Long' });
      await insertApiKey(system, { organizationId, name: 'test', key: apiKey });
    });
    for (let from = 1; from <= records; from += 100_000) await seed(from);
    await database.asSystem(({ trx }) =>
      trx
        .insertInto('auditHeads')
        .values({ organizationId, sequence: records, hash: Buffer.alloc(32) })
        .execute(),
    );
  });
  after(async () => {
    await program.stop();
    await database.close();
    await store.drop();
  });

  const seed = (from: number) =>
    database.asSystem(({ trx }) =>
      sql`insert into audit_log
          select ${organizationId}::uuid, n, now(), '{"kind": "key", "id": "1", "name": "test"}', 'task.updated', 'task', gen_random_uuid(),
            jsonb_build_object('title', 'Task ' || n, 'description', repeat('d', 100)),
            jsonb_build_object('title', 'Task ' || n, 'description', repeat('e', 100)),
            decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
          from generate_series(${from}::int, ${Math.min(records, from + 99_999)}::int) n`.execute(
        trx,
      ),
    );

  const open = async (query: string): Promise<IncomingMessage> => {
    const headers = { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId };
    const path = `/api/v1/AuditLog/export?${query}`;
    const [response] = (await once(
      request({ host: '127.0.0.1', port, path, headers }).end(),
      'response',
    )) as [IncomingMessage];
    return response;
  };

  /** In MiB. */
  const peakMemory = (): number => {
    const status = `/proc/${program.child.pid ?? 0}/status`;
    const kib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]);
    return Math.round(kib / 1024);
  };

  it('has every record in order, in memory that does not grow with its length', async () => {
    const atRest = peakMemory();
    const started = performance.now();
    const response = await open('');
    let expected = 1;
    let bytes = 0;
    for await (const line of createInterface({ input: response })) {
      if (!line.startsWith(`{"sequence":${expected},`)) throw new Error(`not ${expected}: ${line}`);
      expected += 1;
      bytes += line.length + 1;
    }
    expect(expected - 1).to.equal(records);
    expect(response.complete).to.equal(true);
    const seconds = (performance.now() - started) / 1000;
    const peakMiB = peakMemory();
    console.log(
      `      ${records} records, ${Math.round(bytes / 1048576)} MiB in ${seconds.toFixed(1)} s; peak ${peakMiB} MiB, ${atRest} MiB before it`,
    );
    expect(peakMiB - atRest).to.be.below(limitMiB);
  });

  it('goes on where a reader broke off', async () => {
    const first = await open('Format=jsonl');
    let last = 0;
    for await (const line of createInterface({ input: first })) {
      last = (JSON.parse(line) as { sequence: number }).sequence;
      if (last === 1234) break;
    }
    first.destroy();
    const rest = await open(`After=${last}`);
    for await (const line of createInterface({ input: rest })) {
      expect(JSON.parse(line)).to.have.property('sequence', last + 1);
      break;
    }
    expect(rest.headers['audit-through']).to.equal(String(records));
    rest.destroy();
  });
});
