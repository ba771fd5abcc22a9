import { createHook } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import pg from 'pg';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';
import { deleteAgent, insertAgent } from '#src/agents/agents.js';
import { appendAudit } from '#src/audit/audit.js';
import { isAgentGone, openConversation } from '#src/conversations/conversations.js';
import { connectDatabase, type Database } from '#src/postgres/database.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { PipelinedDriver } from '#src/postgres/pipelined-driver.js';
import { prepare, raw } from '#src/postgres/prepared.js';
import type { Statement } from '#src/postgres/round-trip.js';
import { verifyAudit } from '#src/audit/verify-audit.js';

/** Does not name the organization: what it sees is up to the policies of PostgreSQL. */
const everyAgent = prepare<{ least: number }>()('test-every-agent', (trx, { least }) =>
  trx.selectFrom('agents').select('name').where('version', '>=', least).orderBy('name'),
);
const view = prepare<object>()('test-view', (db) =>
  raw(sql<{ role: string; organization: string }>`
    select current_user::text as role, current_setting('parley.organization_id', true) as organization`)(
    db,
  ),
);

describe('a transaction that is sent in few round trips', () => {
  let migrated: MigratedDatabase;
  let database: Database;
  let [ours, theirs] = ['', ''];

  before(async () => {
    migrated = await migratedDatabase();
    // All on one connection: what one leaves behind, the next would find.
    database = connectDatabase({ url: migrated.url, poolSize: 1 });
    ours = await organization('ours');
    theirs = await organization('theirs');
  });
  after(async () => {
    await database.close();
    await migrated.drop();
  });

  const organization = async (name: string) => {
    const { id } = await database.asSystem((system) => insertOrganization(system, { name }));
    await database.inOrganization(id, (scope) => insertAgent(scope, { ...plainAgent, name }));
    return id;
  };
  const namesSeen = async (organizationId: string | null) =>
    (await database.read(organizationId, everyAgent, { least: 0 })).map(({ name }) => name);
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error as Error,
    );
  const countConversations = (organizationId: string) =>
    database.inOrganization(organizationId, async ({ trx }) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from conversations`.execute(
        trx,
      );
      return rows[0]?.n;
    });
  const entry = {
    actor: { kind: 'system', name: 'test' },
    action: 'task.updated',
    resourceType: 'task',
    resourceId: null,
  } as const;

  it('sees its own organization, though the statement was prepared for another', async () => {
    for (let n = 0; n < 8; n += 1) {
      expect(await namesSeen(ours)).to.deep.equal(['ours']);
      expect(await namesSeen(theirs)).to.deep.equal(['theirs']);
      expect(await namesSeen(null)).to.deep.equal(['ours', 'theirs']);
      expect(await namesSeen(randomUUID())).to.deep.equal([]);
    }
  });

  it('leaves nothing of its view on the connection, whether it succeeds or fails', async () => {
    const pool = new pg.Pool({ connectionString: migrated.url, max: 1 });
    const driver = new PipelinedDriver(pool);
    const looks = async () => (await pool.query<object>(view.with({}).text)).rows[0];
    const before = await looks();
    const enter = {
      text: "select set_config('role', 'parley_app', true), set_config('parley.organization_id', $1, true)",
      values: [ours],
    };
    const once = async (statement: Statement) => {
      const connection = await driver.acquireConnection();
      return connection.once([enter, statement]).finally(() => connection.release());
    };
    const within = { role: 'parley_app', organization: ours };
    expect(await once(view.with({}))).to.deep.equal([within]);
    expect(await looks()).to.deep.equal({ ...before, organization: '' });
    expect(await failureOf(once(broken.with({})))).to.have.property('code', '22012');
    expect(await looks()).to.deep.equal({ ...before, organization: '' });
    await pool.end();
  });

  it('is undone as a whole by a statement that was sent with the commit', async () => {
    const told: unknown[] = [];
    database.onAnnounced((announced) => told.push(announced));
    const failure = await failureOf(
      database.inOrganization(ours, async (scope) => {
        await insertAgent(scope, { ...plainAgent, name: 'undone' });
        await broken.later(scope.trx, {});
      }),
    );
    expect(failure).to.have.property('code', '22012');
    expect(told).to.deep.equal([]);
    expect(await namesSeen(ours)).to.deep.equal(['ours']);
  });

  it('may have the same statement several times, also as the first of its connection', async () => {
    const fresh = connectDatabase({ url: migrated.url, poolSize: 1 });
    const { id } = await fresh.asSystem((system) => insertOrganization(system, { name: 'O' }));
    await fresh.inOrganization(id, async (scope) => {
      for (let n = 0; n < 3; n += 1) await appendAudit(scope, entry);
    });
    expect(await verifyAudit(fresh, id)).to.deep.equal({ ok: true, records: 3 });
    await fresh.close();
  });

  it('is undone as a whole if nothing but changes was sent, and one of them fails', async () => {
    const failure = await failureOf(
      database.inOrganization(ours, async (scope) => {
        await rename.later(scope.trx, { name: 'renamed' });
        await broken.later(scope.trx, {});
      }),
    );
    expect(failure).to.have.property('code', '22012');
    expect(await namesSeen(ours)).to.deep.equal(['ours']);
  });

  it('fails if nothing but changes was sent, and PostgreSQL refuses them only at the end', async () => {
    const foreign = await organization('foreign');
    const conversationId = await database.inOrganization(foreign, async (scope) =>
      openConversation(scope, await insertAgent(scope, plainAgent)),
    );
    const failure = await failureOf(
      database.inOrganization(ours, (scope) =>
        intrude.later(scope.trx, { organizationId: ours, conversationId }),
      ),
    );
    expect(failure).to.include({ constraint: 'tasks_conversation_of_organization_fkey' });
    expect(await namesSeen(ours)).to.deep.equal(['ours']);
  });

  it('changes nothing in a snapshot, where reading is all that is allowed', async () => {
    const failure = await failureOf(
      database.inSnapshot(ours, (scope) => rename.later(scope.trx, { name: 'renamed' })),
    );
    expect(failure).to.have.property('code', '25006');
    expect(await namesSeen(ours)).to.deep.equal(['ours']);
  });

  it('does not pass for committed when a failure in it was overlooked', async () => {
    const failure = await failureOf(
      database.inOrganization(ours, async (scope) => {
        await insertAgent(scope, { ...plainAgent, name: 'lost' });
        await broken.run(scope.trx, {}).catch(() => undefined);
      }),
    );
    expect(String(failure)).to.include('had failed');
    expect(await namesSeen(ours)).to.deep.equal(['ours']);
  });

  it('accepts no more queries once it is over, when its connection may be another’s', async () => {
    const { trx } = await database.inOrganization(ours, async (scope) => {
      await view.run(scope.trx, {});
      return scope;
    });
    const late = [
      failureOf(view.run(trx, {})),
      failureOf(trx.selectFrom('agents').select('name').execute()),
    ];
    for (const failure of await Promise.all(late))
      expect(failure).to.have.property('message', 'The transaction is over.');
    expect(await namesSeen(theirs)).to.deep.equal(['theirs']);
  });

  it('makes few promises and one timer on a free connection, each of which every request pays', async () => {
    const counted = async (work: () => Promise<unknown>) => {
      const made = { PROMISE: 0, Timeout: 0 };
      const hook = createHook({
        init(_id, type) {
          if (type === 'PROMISE' || type === 'Timeout') made[type] += 1;
        },
      });
      await work();
      hook.enable();
      await work();
      hook.disable();
      return made;
    };
    const read = await counted(() => namesSeen(ours));
    expect(read.Timeout).to.equal(1);
    expect(read.PROMISE).to.be.at.most(14);
    const change = await counted(() =>
      database.inOrganization(ours, (scope) => appendAudit(scope, entry)),
    );
    expect(change.Timeout).to.equal(1);
    expect(change.PROMISE).to.be.at.most(20);
  });

  it('takes its queries one by one, in their order, if they are made at once', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on('warning', onWarning);
    const asked = await database.inOrganization(ours, ({ trx }) =>
      Promise.all(
        [1, 2, 3, 4].map(async (n) => {
          const query = sql<{ n: number }>`select ${n}::int as n`;
          return (await query.execute(trx)).rows[0]!;
        }),
      ),
    );
    await new Promise(setImmediate);
    process.off('warning', onWarning);
    expect(asked.map(({ n }) => n)).to.deep.equal([1, 2, 3, 4]);
    expect(warnings).to.deep.equal([]);
  });

  it('refuses a value that cannot be sent, and goes on', async () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    const failure = await failureOf(
      database.read(ours, everyAgent, { least: endless as unknown as number }),
    );
    expect(failure).to.be.instanceOf(TypeError);
    expect(await namesSeen(ours)).to.deep.equal(['ours']);
  });

  it('reads times of any age as they are meant, whatever zone PostgreSQL writes them in', async () => {
    const times = ['2026-11-17 12:00:00.123456', '0001-01-01 00:00:00', '10026-01-01 23:59:59.999'];
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York', 'Etc/GMT-14'])
      for (const time of [...times, '0044-03-15 12:00:00 BC', '2026-02-28 23:59:59.9']) {
        const { rows } = await database.asSystem(async ({ trx }) => {
          await sql`select set_config('timezone', ${zone}, true)`.execute(trx);
          return sql<{ at: Date; ms: number }>`
            select at, trunc(extract(epoch from at) * 1000)::float8 as ms
            from (select ${time}::timestamp at time zone 'UTC' as at) as given`.execute(trx);
        });
        expect(rows[0]?.at.getTime(), `${time} in ${zone}`).to.equal(rows[0]?.ms);
      }
  });

  it('works again on a server that has forgotten what it was to keep', async () => {
    await namesSeen(ours);
    await database.asSystem(({ trx }) => sql`deallocate all`.execute(trx)).catch(() => undefined);
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await namesSeen(ours).catch(() => 'failed'));
    expect(answers.at(-1)).to.deep.equal(['ours']);
  });

  it('opens no conversation of an agent that is deleted meanwhile, and no record tells of one', async () => {
    const id = await database.inOrganization(ours, (scope) =>
      insertAgent(scope, { ...plainAgent, name: 'short-lived' }),
    );
    await database.inOrganization(ours, (scope) => deleteAgent(scope, id));
    const before = await countConversations(ours);
    for (const agentId of [id, randomUUID()]) {
      const failure = await failureOf(
        database.inOrganization(ours, async (scope) => {
          await openConversation(scope, agentId);
          await appendAudit(scope, entry);
        }),
      );
      expect(isAgentGone(failure), String(failure)).to.equal(true);
    }
    expect(await countConversations(ours)).to.equal(before);
  });

  it('chains the audit records of many at once, each with whatever is in it', async () => {
    const nasty = ['\u2028 "quotes" \\ \n\t\b', '🦜 ü \u007f', { z: 1, a: [1e21, 0.1, -0, null] }];
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        migrated.database.inOrganization(theirs, (scope) =>
          appendAudit(scope, {
            ...entry,
            resourceId: n % 2 === 0 ? randomUUID() : null,
            resourceType: 'thing "\\',
            ...(n % 3 === 0 && { before: nasty }),
            after: { n, nasty, at: new Date(0), gone: undefined },
          }),
        ),
      ),
    );
    expect(await verifyAudit(migrated.database, theirs)).to.deep.equal({ ok: true, records: 40 });
  });
});

const rename = prepare<{ name: string }>()('test-rename', (trx, { name }) =>
  trx.updateTable('agents').set({ name }),
);
/** Another organization's conversation is found by the first of two references; the second is deferred. */
const intrude = prepare<{ organizationId: string; conversationId: string }>()(
  'test-intrude',
  (db, { organizationId, conversationId }) =>
    raw(sql`insert into tasks (organization_id, title, description, status, conversation_id, metadata)
    values (${organizationId}, 'x', '', 'open', ${conversationId}, '{}')`)(db),
);
const broken = prepare<object>()('test-broken', (db) => raw(sql`select 1 / 0`)(db));
