import { expect } from 'chai';
import pg from 'pg';
import { insertConversation } from '#src/conversations/conversations.js';
import { claimKey, keepAnswer } from '#src/questions/idempotency.js';
import { deleteStaleConversations } from '#src/conversations/retention.js';
import { createTask, findTask, updateTask, type TaskFields, type TaskWriter } from '#src/tasks.js';
import { deleteConversations } from '#src/conversations/delete-conversations.js';
import { calledTools } from './support/called-tools.js';

const words: TaskFields = {
  ...{ title: 'Said.', description: 'Said, too.', status: 'open', dueAt: null },
  ...{ agentId: null, conversationId: null, externalId: null, metadata: {} },
};

describe('deleting conversations', () => {
  let world: Awaited<ReturnType<typeof calledTools>>;
  before(async () => (world = await calledTools()));
  after(() => world.drop());

  const converse = async () =>
    (await world.work((scope) => insertConversation(scope, world.agentId))).id;
  const forget = (...ids: string[]) => world.work((scope) => deleteConversations(scope, ids));
  const task = async (writer?: TaskWriter) =>
    (await world.work((scope) => createTask(scope, words, writer)))!.id;
  const write = (id: string, writer: TaskWriter) =>
    world.work((scope) => updateTask(scope, { ...words, id }, writer));
  const titleOf = async (id: string) => (await world.work((scope) => findTask(scope, id)))?.title;
  const answered = async (key: string, conversationId: string) =>
    world.work(async (scope) => {
      const claimed = await claimKey(scope, { key, fingerprint: Buffer.of(1) });
      const claim = claimed.kind === 'claimed' ? claimed.claim : '';
      return keepAnswer(scope, { key, claim, answer: Buffer.of(1), conversationId });
    });
  const standing = async (key: string) =>
    (await world.work((scope) => claimKey(scope, { key, fingerprint: Buffer.of(1) }))).kind;

  it('takes the words out of tasks that were written in one of them, and leaves the others', async () => {
    const [doomed, other] = [await converse(), await converse()];
    const created = await task({ conversationId: doomed });
    const changed = await task();
    await write(changed, { conversationId: doomed });
    await write(changed, { conversationId: other });
    const anew = await task({ conversationId: doomed });
    await write(anew, 'anew');
    const elsewhere = await task({ conversationId: other });
    await forget(doomed);
    expect(await titleOf(created)).to.equal('Deleted with its conversation');
    expect(await titleOf(changed)).to.equal('Deleted with its conversation');
    expect(await titleOf(anew)).to.equal('Said.');
    expect(await titleOf(elsewhere)).to.equal('Said.');
  });

  it('forgets the answers that tell of them, and not that the requests were made', async () => {
    const [doomed, other] = [await converse(), await converse()];
    await answered('a', doomed);
    await answered('b', other);
    await forget(doomed);
    expect(await standing('a')).to.equal('forgotten');
    expect(await standing('b')).to.equal('answered');
  });

  it('keeps no answer that comes after', async () => {
    const gone = await converse();
    await forget(gone);
    expect(await answered('late', gone)).to.equal(true);
    expect(await standing('late')).to.equal('forgotten');
  });

  it('deletes one of any size in statements that are never long', async () => {
    const huge = await converse();
    const owner = new pg.Client({ connectionString: world.url });
    await owner.connect();
    const tables = ['messages', 'tool_calls', 'usage_records', 'runs', 'realtime_sessions'];
    try {
      await owner.query(fill, [world.organizationId, world.agentId, huge]);
      for (const table of tables) await owner.query(cancelLong(table));
      expect(await forget(huge)).to.equal(1);
      for (const table of tables) {
        const { rows } = await owner.query(
          `select count(*)::int from ${table} where conversation_id = $1`,
          [huge],
        );
        expect(rows, table).to.deep.equal([{ count: 0 }]);
      }
    } finally {
      await owner.end();
    }
  });

  it('is what retention does', async () => {
    const stale = await converse();
    const written = await task({ conversationId: stale });
    await answered('stale', stale);
    await world.work(({ trx }) =>
      trx
        .updateTable('conversations')
        .set({ updatedAt: new Date(Date.now() - 3 * 86_400_000) })
        .where('id', '=', stale)
        .execute(),
    );
    const limits = { days: 2, limit: 10 };
    expect(await world.work((scope) => deleteStaleConversations(scope, limits))).to.equal(1);
    expect(await titleOf(written)).to.equal('Deleted with its conversation');
    expect(await standing('stale')).to.equal('forgotten');
  });
});

/** 1,001 rows of each kind. */
const fill = `
  with session as (
    insert into realtime_sessions (organization_id, agent_id, conversation_id, token_hash, ended_at)
    select $1::uuid, $2::uuid, $3::uuid, sha256(gen_random_uuid()::text::bytea), now()
    from generate_series(1, 1001) returning id
  ), message as (
    insert into messages (organization_id, conversation_id, session_id, position, role, content, status)
    select $1, $3, id, 1, 'tool', 'W', 'completed' from session returning id, session_id
  ), called as (
    insert into tool_calls (organization_id, conversation_id, agent_id, session_id, message_id, call_id, name, arguments, status)
    select $1, $3, $2, session_id, id, 'c', 'pay', '{}', 1 from message
  ), run as (
    insert into runs (id, organization_id, agent_id, conversation_id, state)
    select gen_random_uuid(), $1, $2, $3, 'answered' from generate_series(1, 1001) returning id
  )
  insert into usage_records (organization_id, conversation_id, session_id, run_id, source, source_id, model)
  select $1, $3, id, null, 'response', 's', 'm' from session
  union all select $1, $3, null, id, 'response', 's', 'm' from run`;

/** Cancels statements that delete too many rows of a table, as PostgreSQL does with long ones. */
const cancelLong = (table: string) => `
  create or replace function cancel() returns trigger language plpgsql as $$ begin
    if (select count(*) from gone) > 1000 then raise query_canceled; end if;
    return null;
  end $$;
  create trigger cancelled after delete on ${table} referencing old table as gone
    for each statement execute function cancel()`;
