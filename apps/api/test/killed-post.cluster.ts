import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import {
  connectDatabase,
  insertAgent,
  insertConversation,
  openApproval,
  recordToolCall,
  type Database,
  type SystemScope,
} from '@parley/database';
import {
  appProgram,
  plainAgent,
  runNode,
  testDatabase,
  testRedis,
  waitFor,
  type RunningProgram,
  type TestDatabase,
} from '@parley/testkit';

const main = appProgram('api');
const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';
const apiKey = 'a-key-made-by-the-operator';

describe('a POST whose process is killed', () => {
  let store: TestDatabase;
  let database: Database;
  const env: Record<string, string> = {};

  before(async () => {
    store = await testDatabase();
    Object.assign(env, {
      DATABASE_URL: store.url,
      REDIS_URL: (await testRedis()).url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ORG_ID: organizationId,
      BOOTSTRAP_API_KEY: apiKey,
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: '0',
    });
    database = connectDatabase({ url: store.url });
  });
  after(async () => {
    await database.close();
    await store.drop();
  });

  type Started = { program: RunningProgram; post: (path?: string) => Promise<Response> };
  const start = async (): Promise<Started> => {
    const program = runNode([main], { env });
    const { port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number };
    const post = (path = 'Task') =>
      fetch(`http://127.0.0.1:${port}/api/v1/${path}`, {
        method: 'POST',
        headers: {
          'X-Api-Key': apiKey,
          'X-Org-Id': organizationId,
          'Idempotency-Key': `once-for-${path}`,
          ...(path === 'Task' && { 'Content-Type': 'application/json' }),
        },
        ...(path === 'Task' && { body: JSON.stringify({ title: 'A' }) }),
      });
    return { program, post };
  };
  /** Until the request waits for what this transaction holds. */
  const blockedBy = ({ trx }: SystemScope, what: string) =>
    waitFor(
      async () => {
        const { rows: waiting } = await sql`select from pg_locks
          where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
        return waiting.length > 0;
      },
      { what: `the request to wait for ${what}` },
    );
  const rows = () => database.asSystem(({ trx }) => trx.selectFrom('tasks').select('id').execute());

  it('takes effect once: another process waits for the claim to run out, then does it', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    // The head of the audit log is held, so that the request stands still after its insert and before its commit.
    await (await first.post()).text();
    await database.asSystem(({ trx }) => sql`delete from idempotency_keys`.execute(trx));
    await database.asSystem(({ trx }) => sql`delete from tasks`.execute(trx));
    await database.asSystem(async (heads) => {
      await sql`select from audit_heads for update`.execute(heads.trx);
      const answer = first.post().catch((error: unknown) => error);
      await blockedBy(heads, 'the audit log');
      first.program.child.kill('SIGKILL');
      await first.program.ended;
      expect(await answer).to.be.instanceOf(Error);
    });
    const early = await second.post();
    expect(early.status).to.equal(409);
    expect(Number(early.headers.get('retry-after'))).to.be.within(1, 15);
    expect(await rows()).to.have.length(0);
    await database.asSystem(({ trx }) =>
      sql`update idempotency_keys set claimed_until = now()`.execute(trx),
    );
    const retried = await second.post();
    expect(retried.status).to.equal(201);
    const { id } = (await retried.json()) as { id: string };
    expect(await rows()).to.deep.equal([{ id }]);
    const replayed = await second.post();
    expect(replayed.headers.get('idempotent-replayed')).to.equal('true');
    expect(await replayed.json()).to.have.property('id', id);
    await second.program.stop();
  });

  it('decides an approval only if its answer was stored, so that a retry gets it', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const id = await waitingCall();
    const path = `Approval/${id}/approve`;
    // The request decides, and stands still before it has stored its answer.
    await database.asSystem(async (keys) => {
      let answer: Promise<unknown> | undefined;
      await database.asSystem(async (heads) => {
        await sql`select from audit_heads for update`.execute(heads.trx);
        answer = first.post(path).catch((error: unknown) => error);
        await blockedBy(heads, 'the audit log');
        await sql`select from idempotency_keys for update`.execute(keys.trx);
      });
      await blockedBy(keys, 'its key');
      first.program.child.kill('SIGKILL');
      await first.program.ended;
      expect(await answer).to.be.instanceOf(Error);
    });
    await database.asSystem(({ trx }) =>
      sql`update idempotency_keys set claimed_until = now() where answer is null`.execute(trx),
    );
    const retried = await second.post(path);
    expect(retried.status).to.equal(200);
    expect(await retried.json()).to.include({ id, state: 'approved' });
    const replayed = await second.post(path);
    expect(replayed.headers.get('idempotent-replayed')).to.equal('true');
    await second.program.stop();
  });

  const waitingCall = async (): Promise<string> => {
    const id = randomUUID();
    await database.inOrganization(organizationId, async (scope) => {
      const agentId = await insertAgent(scope, plainAgent);
      const { id: conversationId } = await insertConversation(scope, agentId);
      await recordToolCall(scope, {
        ...{ id, messageId: randomUUID(), conversationId, agentId, callId: 'call' },
        ...{ sessionId: null, runId: null, parentId: null, position: 1, createdAt: new Date() },
        ...{ name: 'pay', arguments: {} },
      });
      await openApproval(scope, id, { timeoutMs: 3_600_000, approvers: ['api'], owner: null });
    });
    return id;
  };
});
