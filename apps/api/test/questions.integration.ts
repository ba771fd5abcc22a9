import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import type { QuestionAnswer } from '@parley/protocol';
import { waitFor } from '@parley/testkit';
import { problemCode, type Reply } from './support/contract-client.js';
import { overheard } from './support/openai-client.js';
import { QuestionStage, type ToldEvent } from './support/question-stage.js';

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';
const ending = ['response.id', 'response.completed', 'question.answered'];

describe('a question', () => {
  let stage: QuestionStage;
  before(async () => {
    stage = await QuestionStage.open();
  });
  beforeEach(() => {
    stage.rings.length = 0;
  });
  after(() => stage.close());

  it('is answered by the text model, and both stand in the conversation with what they cost', async () => {
    const agentId = await stage.agent();
    const reply = await stage.ask(agentId, { question: '!say Good morning' });
    expect(reply.status).to.equal(200);
    const { conversationId, messageId, ...rest } = reply.body as QuestionAnswer;
    expect(rest).to.deep.equal({ status: 'completed', answer: 'Good morning', approvals: [] });
    const messages = await stage.messages(conversationId);
    expect(messages.map(({ role, content, status }) => [role, content, status])).to.deep.equal([
      ['user', '!say Good morning', 'completed'],
      ['assistant', 'Good morning', 'completed'],
    ]);
    expect(messages[1]!.id).to.equal(messageId);
    const { body } = await stage.tenant.client.get(`/api/v1/Conversation/${conversationId}`);
    const { usage, sessions } = body as {
      usage: { model: string; outputTextTokens: number }[];
      sessions: unknown[];
    };
    expect(sessions).to.deep.equal([]);
    expect(usage).to.have.length(1);
    expect(usage[0]).to.include({ model: 'sim-text' });
    expect(usage[0]!.outputTextTokens).to.be.greaterThan(0);
  });

  it('goes on with a conversation, whose past the model is told', async () => {
    const agentId = await stage.agent([stage.bell()]);
    const { conversationId } = await stage.answer(agentId, '!call bell {}');
    const second = await stage.answer(agentId, '!say Two', { conversationId });
    expect(second.conversationId).to.equal(conversationId);
    const roles = (await stage.messages(conversationId)).map(({ role }) => role);
    expect(roles).to.deep.equal(['user', 'tool', 'assistant', 'user', 'assistant']);
    const [run] = await stage.api.database.asSystem(({ trx }) =>
      trx.selectFrom('runs').select(['state', 'run']).where('id', '=', second.messageId).execute(),
    );
    expect(run).to.deep.equal({ state: 'answered', run: null });
  });

  it('runs tools on the way, each once, and records them', async () => {
    const agentId = await stage.agent([stage.bell()]);
    const answer = await stage.answer(agentId, '!call bell {"n":1}');
    expect(answer.status).to.equal('completed');
    expect(stage.rings).to.deep.equal(['{"n":1}']);
    const messages = await stage.messages(answer.conversationId);
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'tool', 'assistant']);
    expect(messages[1]!.toolCall).to.include({ name: 'bell', status: 1, approval: null });
  });

  it('is told as events, in order, to whoever accepts them', async () => {
    const agentId = await stage.agent([stage.bell()]);
    const { response, events } = await stage.stream(agentId, '!call bell {}');
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    const told: ToldEvent[] = [];
    for await (const event of events) told.push(event);
    const types = told.map(({ type }) => type);
    const deltas = told.filter(({ type }) => type === 'response.text.delta');
    expect(types.filter((type) => type !== 'response.text.delta')).to.deep.equal([
      ...['message.created', start, done],
      ...ending,
    ]);
    expect(types.slice(-3)).to.deep.equal(ending);
    expect(types.indexOf('response.text.delta')).to.be.greaterThan(types.indexOf(done));
    const answer = told.at(-1)!.data as QuestionAnswer;
    expect(deltas.map(({ data }) => data['delta']).join('')).to.equal(answer.answer);
    const messages = await stage.messages(answer.conversationId);
    expect(messages.at(-1)).to.include({ id: answer.messageId, content: answer.answer });
    expect(told[0]!.data).to.include({ id: messages[0]!.id, role: 'user', chatbotId: agentId });
  });

  it('is answered although the caller leaves in the middle', async () => {
    const agentId = await stage.agent();
    const caller = new AbortController();
    const { events } = await stage.stream(agentId, '!delay 300 !say Still here', caller.signal);
    const first = (await events.next()) as { value: ToldEvent };
    expect(first.value.type).to.equal('message.created');
    caller.abort();
    await events.next().catch(() => undefined);
    await stage.api.questions.settled();
    const { body } = await stage.tenant.client.get(`/api/v1/Conversation?AgentId=${agentId}`);
    const [conversation] = (body as { items: { id: string }[] }).items;
    const messages = await stage.messages(conversation!.id);
    expect(messages.at(-1)).to.include({ role: 'assistant', content: 'Still here' });
  });

  it('that the model fails is a problem; what was asked stays', async () => {
    const agentId = await stage.agent();
    const { conversationId } = await stage.answer(agentId, '!say One');
    const reply = await stage.ask(agentId, { question: '!fail server_error', conversationId });
    expect(reply.status).to.equal(502);
    expect(problemCode(reply)).to.equal('provider-unavailable');
    const messages = await stage.messages(conversationId);
    expect(
      messages.slice(2).map(({ role, content, status }) => [role, content, status]),
    ).to.deep.equal([
      ['user', '!fail server_error', 'completed'],
      ['assistant', '', 'failed'],
    ]);
    const { events } = await stage.stream(agentId, '!fail server_error');
    const told: ToldEvent[] = [];
    for await (const event of events) told.push(event);
    expect(told.map(({ type }) => type)).to.deep.equal(['message.created', 'error']);
    expect(told[1]!.data).to.include({ status: 502 });
  });

  it('of an agent whose provider cannot be reached names neither its address nor its key', async () => {
    const { body: connection } = await stage.tenant.client.post('/api/v1/Connection', {
      name: 'Nobody',
      kind: 'openai-compatible',
      baseUrl: 'http://127.0.0.1:1/v1',
      secret: 'sk-very-secret',
    });
    const agentId = await stage.agent([], { connectionId: (connection as { id: string }).id });
    const reply = await stage.ask(agentId, { question: 'Hello?' });
    expect(reply.status).to.equal(502);
    expect(JSON.stringify(reply.body)).not.to.match(/127\.0\.0\.1|sk-very/);
  });

  it('that takes too long is accepted, and its answer stands in the conversation', async () => {
    const hasty = await QuestionStage.open({ questionTimeoutSeconds: 1 });
    try {
      const agentId = await hasty.agent();
      const reply = await hasty.ask(agentId, { question: '!delay 2500 !say Done' });
      expect(reply.status).to.equal(202);
      expect(reply.body).to.include({ status: 'inProgress', answer: '' });
      const message = await hasty.answered(reply.body as QuestionAnswer);
      expect(message).to.include({ content: 'Done', status: 'completed' });
    } finally {
      await hasty.close();
    }
  });

  it('asked twice with one Idempotency-Key is asked once', async () => {
    const agentId = await stage.agent([stage.bell()]);
    const options = { headers: { 'Idempotency-Key': randomUUID() } };
    const first = await stage.ask(agentId, { question: '!call bell {}' }, options);
    const second = await stage.ask(agentId, { question: '!call bell {}' }, options);
    expect(first.status).to.equal(200);
    expect(second.status).to.equal(200);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.body).to.deep.equal(first.body);
    expect(stage.rings).to.have.length(1);
  });

  it('that failed needs a new Idempotency-Key to be asked again', async () => {
    const agentId = await stage.agent();
    const asked = { question: '!fail server_error' };
    const options = { headers: { 'Idempotency-Key': randomUUID() } };
    const first = await stage.ask(agentId, asked, options);
    const second = await stage.ask(agentId, asked, options);
    expect([first, second].map(problemCode)).to.deep.equal(
      Array<string>(2).fill('provider-unavailable'),
    );
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    const { body } = await stage.tenant.client.get(`/api/v1/Conversation?AgentId=${agentId}`);
    expect(body).to.have.property('total', 1);
  });

  it('that is interrupted by a database error continues, and is not to be asked again', async () => {
    const agentId = await stage.agent();
    const database = new pg.Client({ connectionString: stage.api.databaseUrl });
    await database.connect();
    let reply: Reply | undefined;
    const asking = stage.ask(agentId, { question: '!delay 500 !say Hello' });
    void asking.then((answer) => (reply = answer));
    const lock = async () => {
      await database.query('begin');
      const locked = await database.query(
        "select id from runs where agent_id = $1 and state = 'open' for update",
        [agentId],
      );
      if (locked.rowCount === 1) return true;
      await database.query('rollback');
      return false;
    };
    await waitFor(lock, { what: 'the question to be recorded' });
    const kill = async () => {
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return reply;
    };
    await waitFor(kill, { what: 'a response' });
    await database.end();
    expect(reply).to.have.property('status', 202);
    expect(reply?.body).to.deep.include({ status: 'inProgress', answer: '', approvals: [] });
    const { conversationId } = (await asking).body as QuestionAnswer;
    expect((await stage.messages(conversationId)).map(({ role }) => role)).to.include('user');
  });

  it('is refused with a reason when it cannot be asked', async () => {
    const agentId = await stage.agent();
    const { conversationId } = await stage.answer(await stage.agent(), '!say Other agent');
    const foreign = await stage.api.organization();
    const refused: [body: unknown, status: number][] = [
      [{}, 400],
      [{ question: '' }, 400],
      [{ question: ' \n' }, 400],
      [{ question: 7 }, 400],
      [{ question: 'a\0b' }, 400],
      [{ question: 'x'.repeat(100_001) }, 400],
      [{ question: 'x', more: 1 }, 400],
      [{ question: 'x', conversationId: 'no' }, 400],
      [{ question: 'x', conversationId }, 400],
      [{ question: 'x', conversationId: randomUUID() }, 404],
    ];
    for (const [body, status] of refused)
      expect(
        (await stage.ask(agentId, body as object)).status,
        JSON.stringify(body).slice(0, 60),
      ).to.equal(status);
    expect((await stage.ask(randomUUID(), { question: 'x' })).status).to.equal(404);
    const path = `/api/v1/Agent/${agentId}/question`;
    expect((await foreign.client.post(path, { question: 'x' })).status).to.equal(404);
    const unscoped = await stage.api.organization({ scopes: ['agents'] });
    expect((await unscoped.client.post(path, { question: 'x' })).status).to.equal(403);
  });

  it('whose conversation is deleted meanwhile is not found, and leaves nothing behind', async () => {
    let held = Promise.resolve();
    let release: () => void = () => undefined;
    const { connectionId, heard } = await overheard(stage, () => held);
    const agentId = await stage.agent([], { connectionId });
    const { conversationId } = await stage.answer(agentId, '!say One');
    held = new Promise((resolve) => (release = resolve));
    const asking = stage.ask(agentId, { question: '!say Two', conversationId });
    await waitFor(() => heard.length === 2, { what: 'the model to be asked' });
    await stage.tenant.client.delete(`/api/v1/Conversation/${conversationId}`);
    release();
    expect((await asking).status).to.equal(404);
    const runs = await stage.api.database.asSystem(({ trx }) =>
      trx.selectFrom('runs').select('id').where('conversationId', '=', conversationId).execute(),
    );
    expect(runs).to.deep.equal([]);
  });

  it('is counted', async () => {
    await stage.answer(await stage.agent(), '!say One more');
    const text = await stage.api.metrics.registry.metrics();
    expect(text).to.match(/parley_questions_total\{outcome="answered"[^}]*\} [1-9]/);
  });
});
