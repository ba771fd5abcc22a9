import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { decideToolCall, insertWebhook } from '@parley/database';
import type { QuestionAnswer } from '@parley/protocol';
import { waitFor } from '@parley/testkit';
import { QuestionStage, type ToldEvent } from './support/question-stage.js';

const start = 'response.function_invocation.start';
const ending = ['response.id', 'response.completed', 'question.answered'];

describe('a question whose tool needs approval', () => {
  let stage: QuestionStage;
  let agentId: string;
  before(async () => {
    stage = await QuestionStage.open();
    agentId = await stage.agent([stage.bell({ approvalRequired: true })]);
    await stage.worker();
  });
  beforeEach(() => {
    stage.rings.length = 0;
  });
  after(() => stage.close());

  const suspend = async (of = agentId, question = '!call bell {"n":1}') => {
    const reply = await stage.ask(of, { question });
    expect(reply.status).to.equal(202);
    return reply.body as QuestionAnswer;
  };
  const runState = (id: string) =>
    stage.api.database.asSystem(({ trx }) =>
      trx.selectFrom('runs').select('state').where('id', '=', id).executeTakeFirstOrThrow(),
    );

  it('is accepted with what has to be decided, and answered after it was approved', async () => {
    const waiting = await suspend();
    expect(waiting).to.include({ status: 'waitingForApproval', answer: '' });
    expect(waiting.approvals).to.have.length(1);
    expect(waiting.approvals[0]).to.include({ name: 'bell' });
    expect(waiting.approvals[0]!.arguments).to.deep.equal({ n: 1 });
    expect(Date.parse(waiting.approvals[0]!.deadline)).to.be.greaterThan(Date.now());
    expect(stage.rings).to.deep.equal([]);
    expect((await stage.decide(waiting.approvals[0]!.callId, 'approve')).status).to.equal(200);
    expect(await stage.answered(waiting)).to.include({ role: 'assistant', status: 'completed' });
    expect(stage.rings).to.deep.equal(['{"n":1}']);
    const messages = await stage.messages(waiting.conversationId);
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'tool', 'assistant']);
    expect(messages[1]!.toolCall).to.include({ status: 1, approval: 'approved' });
    expect(await runState(waiting.messageId)).to.deep.equal({ state: 'answered' });
  });

  it('is answered without the tool after it was rejected', async () => {
    const waiting = await suspend();
    await stage.decide(waiting.approvals[0]!.id, 'reject');
    expect(await stage.answered(waiting)).to.include({ status: 'completed' });
    expect(stage.rings).to.deep.equal([]);
    const [, tool] = await stage.messages(waiting.conversationId);
    expect(tool!.toolCall).to.include({ status: 2, approval: 'rejected' });
  });

  it('is answered without the tool after nobody decided', async () => {
    const hasty = await QuestionStage.open({ approvalTimeoutSeconds: 1 });
    try {
      const of = await hasty.agent([hasty.bell({ approvalRequired: true })]);
      await hasty.worker();
      const { body } = await hasty.ask(of, { question: '!call bell {}' });
      expect(await hasty.answered(body as QuestionAnswer)).to.include({ status: 'completed' });
      const [, tool] = await hasty.messages((body as QuestionAnswer).conversationId);
      expect(tool!.toolCall).to.include({ status: 2, approval: 'expired' });
      expect(hasty.rings).to.deep.equal([]);
    } finally {
      await hasty.close();
    }
  });

  it('keeps its stream open until the answer that another process found', async () => {
    const { events } = await stage.stream(agentId, '!call bell {}');
    const types: string[] = [];
    let last: ToldEvent | undefined;
    for await (const event of events) {
      types.push(event.type);
      last = event;
      if (event.type !== 'question.waiting') continue;
      const { approvals } = event.data as QuestionAnswer;
      await stage.decide(approvals[0]!.id, 'approve');
    }
    expect(types).to.deep.equal([
      ...['message.created', start, 'approval.waiting', 'question.waiting'],
      ...ending,
    ]);
    const answer = last!.data as QuestionAnswer;
    expect(answer.status).to.equal('completed');
    expect(answer.answer).to.equal((await stage.answered(answer)).content);
  });

  it('goes on call by call when several wait', async () => {
    const waiting = await suspend(agentId, '!call bell {"n":1} !call bell {"n":2}');
    expect(waiting.approvals).to.have.length(2);
    await stage.decide(waiting.approvals[0]!.id, 'approve');
    await waitFor(() => stage.rings.length === 1, { what: 'the first ring' });
    await stage.decide(waiting.approvals[1]!.id, 'approve');
    await stage.answered(waiting);
    expect(stage.rings).to.have.members(['{"n":1}', '{"n":2}']);
  });

  it('goes on when it is a sub-agent that needs it', async () => {
    const outer = await stage.agent([{ kind: 'subagent', name: 'ask_ada', agentId }]);
    const inner = JSON.stringify({ question: '!call bell {"deep":true}' });
    const waiting = await suspend(outer, `!call ask_ada ${inner}`);
    expect(waiting.approvals.map(({ name }) => name)).to.deep.equal(['bell']);
    await stage.decide(waiting.approvals[0]!.id, 'approve');
    expect(await stage.answered(waiting)).to.include({ status: 'completed' });
    expect(stage.rings).to.deep.equal(['{"deep":true}']);
  });

  for (const [verdict, state, rings] of [
    ['approve', 'approved', 1],
    ['reject', 'rejected', 0],
  ] as const)
    it(`is answered after it was ${state} in the record, when Redis has lost its data`, async () => {
      const waiting = await suspend();
      await stage.api.redis.flushdb();
      expect((await stage.decide(waiting.approvals[0]!.id, verdict)).status).to.equal(200);
      expect((await stage.decide(waiting.approvals[0]!.id, 'approve')).status).to.equal(409);
      expect(await stage.answered(waiting)).to.include({ status: 'completed' });
      expect(stage.rings).to.have.length(rings);
      const [, tool] = await stage.messages(waiting.conversationId);
      expect(tool!.toolCall).to.include({ approval: state });
    });

  it('is answered once, however many workers go on with it', async () => {
    await stage.worker();
    const waiting = await suspend();
    await stage.decide(waiting.approvals[0]!.id, 'approve');
    await stage.answered(waiting);
    expect(stage.rings).to.have.length(1);
    const messages = await stage.messages(waiting.conversationId);
    expect(messages.filter(({ role }) => role === 'assistant')).to.have.length(1);
  });

  it('is found by the sweep when the job that should go on with it is lost', async () => {
    const waiting = await suspend();
    const [approval] = waiting.approvals;
    // As if whoever decided had died before it told anybody.
    await stage.api.database.inOrganization(stage.tenant.id, (scope) =>
      decideToolCall(scope, approval!.id, { approval: 'rejected', by: null }),
    );
    expect(await stage.answered(waiting)).to.include({ status: 'completed' });
  });

  it('tells webhooks when it was answered', async () => {
    await stage.api.database.inOrganization(stage.tenant.id, (scope) =>
      insertWebhook(scope, {
        id: randomUUID(),
        url: stage.urls.bell,
        events: ['question.answered'],
        secret: Buffer.from('x'),
        enabled: true,
      }),
    );
    const answer = await stage.answer(await stage.agent(), '!say Hello');
    const [row] = await stage.api.database.asSystem(({ trx }) =>
      trx.selectFrom('webhookDeliveries').select('body').execute(),
    );
    const told = JSON.parse(row!.body) as ToldEvent;
    expect(told.type).to.equal('question.answered');
    const { conversationId, messageId } = answer;
    expect(told.data).to.include({ conversationId, messageId, status: 'completed' });
  });

  it('waits on when Redis has lost its data, and is decided from the record', async () => {
    const waiting = await suspend();
    await stage.api.redis.flushdb();
    expect((await stage.decide(waiting.approvals[0]!.id, 'approve')).status).to.equal(200);
    expect(await stage.answered(waiting)).to.include({ status: 'completed' });
    expect(stage.rings).to.have.length(1);
  });
});
