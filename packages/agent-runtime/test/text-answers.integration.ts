import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import { createAgentRuntime, newRun, waitingApprovals, type Run } from '#src/index.js';
import { never, Stage } from './support/stage.js';

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';

describe('text answers', () => {
  let stage: Stage;
  let origin: string;
  let defaultConnection: ProviderConnection;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
    defaultConnection = await stage.provider();
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const runtime = () => createAgentRuntime({ ...stage.options, defaultConnection });
  const answererOf = async (agentId: string) =>
    runtime().openAnswerer(await stage.place(agentId), agentId, { emit: stage.emit, owner: null });
  const ask = async (agentId: string, question: string, texts: string[] = []) =>
    (await answererOf(agentId)).answer(asked(question), never, {
      onText: (delta) => texts.push(delta),
    });
  const asked = (content: string): Run => newRun([{ role: 'user', content }], 10);
  const ring = (name: string, more: Partial<Extract<Tool, { kind: 'http' }>> = {}): Tool => ({
    kind: 'http',
    name,
    description: 'Rings.',
    method: 'POST',
    url: origin,
    parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    ...more,
  });
  const subagent = (name: string, agentId: string): Tool => ({ kind: 'subagent', name, agentId });

  it('come from the model, as they are written', async () => {
    const texts: string[] = [];
    const run = await ask(await stage.agent([]), '!say Good morning, Ada', texts);
    expect(run).to.include({ state: 'answered' });
    expect(run.answer).to.match(/Good morning/);
    expect(texts.join('')).to.equal(run.answer);
    expect(run.usage).to.have.length(1);
    expect(run.usage[0]!.outputTokens).to.be.greaterThan(0);
  });

  it('use tools on the way, several at once', async () => {
    const agentId = await stage.agent([ring('bell'), ring('horn')]);
    const run = await ask(agentId, '!call bell {"n":1} !call horn {"n":2}');
    expect(run.state, run.answer).to.equal('answered');
    expect(stage.heard.map(({ body }) => body)).to.have.members(['{"n":1}', '{"n":2}']);
    expect(stage.types().sort()).to.deep.equal([done, done, start, start]);
    expect(run.messages.map(({ role }) => role)).to.deep.equal([
      ...['user', 'assistant', 'tool', 'tool', 'assistant'],
    ]);
  });

  it('ask another agent, whose own calls are told in between', async () => {
    const inner = await stage.agent([ring('bell')], { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', inner)]);
    const question = JSON.stringify({ question: '!call bell {}' });
    const run = await ask(outer, `!call bea ${question}`);
    expect(run.state, run.answer).to.equal('answered');
    expect(stage.types()).to.deep.equal([
      start,
      'subagent.start',
      start,
      done,
      'subagent.done',
      done,
    ]);
    expect(stage.told[1]!.data).to.deep.include({
      id: inner,
      name: 'Bea',
      icon: 'star',
      iconColor: 'blue',
    });
    expect(stage.told[2]!.data).to.include({ chatbotId: inner, functionName: 'bell' });
    expect(stage.told[4]!.data).to.deep.equal({ chatbotId: inner });
    expect(stage.last()).to.include({ chatbotId: outer, status: 1 });
  });

  it('wait for the approval of a call inside of a sub-agent, and go on elsewhere', async () => {
    const inner = await stage.agent([ring('bell', { approvalRequired: true })], { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', inner)]);
    const question = JSON.stringify({ question: '!call bell {}' });
    const waiting = await ask(outer, `!call bea ${question}`);
    expect(waiting.state).to.equal('waiting');
    const [approval] = waitingApprovals(waiting.openCalls[0]!);
    expect(waiting.openCalls[0]).to.include({ state: 'suspended' });
    expect(stage.heard).to.deep.equal([]);
    await stage.decide(approval!.id, 'approved');
    const stored = JSON.parse(JSON.stringify(waiting)) as Run;
    const run = await (await answererOf(outer)).answer(stored, never);
    expect(run.state, run.answer).to.equal('answered');
    expect(stage.heard).to.have.length(1);
    expect(stage.types()).to.deep.equal([
      ...[start, 'subagent.start', start, 'approval.waiting'],
      ...['approval.approved', done, 'subagent.done', done],
    ]);
  });

  it('do not go in circles', async () => {
    const one = await stage.agent([], { name: 'One' });
    const two = await stage.agent([subagent('one', one)], { name: 'Two' });
    const { database } = stage.options;
    const { findAgent, updateAgent } = await import('@parley/database');
    await database.inOrganization(stage.organizationId, async (scope) => {
      const { id, secretNames, createdAt, updatedAt, ...fields } = (await findAgent(scope, one))!;
      await updateAgent(scope, { id, ...fields, tools: [subagent('two', two)] });
    });
    const deepest = JSON.stringify({ question: '!call one {"question":"hello"}' });
    const run = await ask(one, `!call two ${deepest}`);
    expect(run.state, run.answer).to.equal('answered');
    const refusal = stage.told.find(({ data }) => String(data['text']).includes('circles'));
    expect(refusal?.data).to.include({ status: 2, chatbotId: two });
  });

  it('fail in words when the provider cannot be reached', async () => {
    const run = await createAgentRuntime({
      ...stage.options,
      defaultConnection: { kind: 'simulator', baseUrl: 'http://127.0.0.1:1/v1', secret: null },
    })
      .openAnswerer(await stage.place(await stage.agent([])), await stage.agent([]), {
        emit: stage.emit,
        owner: null,
      })
      .then((answerer) => answerer.answer(asked('hello'), never));
    expect(run).to.include({ state: 'failed' });
    expect(run.answer).to.match(/was unreachable/);
  });

  it('end with their signal', async () => {
    const controller = new AbortController();
    stage.respond = () => controller.abort(new Error('enough'));
    const answerer = await answererOf(await stage.agent([ring('bell')]));
    const outcome = await answerer.answer(asked('!call bell {}'), controller.signal).then(
      () => 'answered',
      (error: unknown) => (error as Error).message,
    );
    expect(outcome).to.equal('enough');
    expect(stage.types()).to.deep.equal([start]);
  });
});
