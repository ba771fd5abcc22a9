import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  deleteAgent,
  findToolCall,
  insertConnection,
  sessionsOfConversation,
  startRealtimeSession,
  type OrganizationScope,
} from '@parley/database';
import type { Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import { createAgentRuntime, newRun, waitingApprovals, type Run } from '#src/index.js';
import { ended, never, Stage } from './support/stage.js';

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';

describe('sub-agents', () => {
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

  const bell = (approvalRequired: boolean, name = 'bell'): Tool => ({
    ...{ kind: 'http', name, description: 'Rings.', method: 'POST', url: origin },
    parameters: { type: 'object', properties: { by: { type: 'string' } } },
    approvalRequired,
  });
  const subagent = (name: string, agentId: string): Tool => ({ kind: 'subagent', name, agentId });
  /** In the words of the simulator; those of the question are not for the agent that asks it. */
  const asking = (name: string, question: string) =>
    `!call ${name} ${JSON.stringify({ question }).replaceAll('!', '\\u0021')}`;
  const times = (count: number, text: string) => Array<string>(count).fill(text).join(' ');
  const answererOf = async (agentId: string) =>
    createAgentRuntime({ ...stage.options, defaultConnection }).openAnswerer(
      await stage.place(agentId),
      agentId,
      { emit: stage.emit, owner: null },
    );
  const ask = async (agentId: string, content: string) =>
    (await answererOf(agentId)).answer(newRun([{ role: 'user', content }], 1), never);
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    stage.options.database.inOrganization(stage.organizationId, work);
  const waitingIn = (run: Run) => run.openCalls.flatMap(waitingApprovals);
  const refusals = () =>
    stage.told.filter(({ data }) => String(data['text']).startsWith('At most 16 calls can wait'));

  type Asked = { tools?: { function: { name: string } }[] };
  /** A text model that calls its first tool sixteen times whenever it may. */
  const countingProvider = async () => {
    const asked: Asked[] = [];
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const heard = JSON.parse(body) as Asked;
        asked.push(heard);
        response.setHeader('Content-Type', 'text/event-stream');
        for (const chunk of completionOf(heard.tools?.[0]?.function.name))
          response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        response.end('data: [DONE]\n\n');
      });
    });
    const baseUrl = `${await stage.serve(server)}/v1`;
    const defaultConnection = { kind: 'openai-compatible' as const, baseUrl, secret: 'sk' };
    return { asked, defaultConnection };
  };
  const completionOf = (tool: string | undefined) => {
    const about = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const input = JSON.stringify({ question: 'Go.' });
    const calls = Array.from({ length: 16 }, (_, index) => ({
      ...{ index, id: `call_${index}`, type: 'function' },
      function: { name: tool, arguments: input },
    }));
    const delta = tool ? { role: 'assistant', tool_calls: calls } : { content: 'That is all.' };
    const end = tool ? 'tool_calls' : 'stop';
    return [
      { ...about, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...about, choices: [{ index: 0, delta: {}, finish_reason: end }] },
    ];
  };

  it('share with their agent how many approvals can wait', async () => {
    const bea = await stage.agent([bell(true)], { name: 'Bea' });
    const cara = await stage.agent([bell(true)], { name: 'Cara' });
    const outer = await stage.agent([subagent('bea', bea), subagent('cara', cara), bell(true)]);
    const inner = times(6, '!call bell {}');
    const words = `${times(8, '!call bell {}')} ${asking('bea', inner)} ${asking('cara', inner)}`;
    const run = await ask(outer, words);
    expect(run.state).to.equal('waiting');
    expect(waitingIn(run)).to.have.length(16);
    expect(refusals()).to.have.length(4);
    expect(refusals()[0]).to.include({ type: done });
    expect(refusals()[0]!.data).to.include({ status: 2 });
    expect(stage.endings).to.deep.equal(Array(4).fill('http refused'));

    const [first] = waitingIn(run);
    await stage.decide(first!.id, 'rejected');
    const later = await (await answererOf(outer)).answer(run, never);
    expect(waitingIn(later)).to.have.length(15);
  });

  it('share one budget with their agent, which answers when it is used up', async () => {
    const completions = await countingProvider();
    const cara = await stage.agent([bell(false)], { name: 'Cara' });
    const bea = await stage.agent([subagent('cara', cara)], { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', bea)]);
    const settings = { ...stage.options.settings, RUN_MAX_MODEL_CALLS: 20 };
    const runtime = createAgentRuntime({ ...stage.options, settings, ...completions });
    const place = await stage.place(outer);
    const options = { emit: stage.emit, owner: null };
    const answerer = await runtime.openAnswerer(place, outer, options);
    const run = await answerer.answer(newRun([{ role: 'user', content: 'Go.' }], 1), never);
    expect(run).to.include({ state: 'answered', answer: 'That is all.' });
    expect(completions.asked).to.have.length(20);
    expect(completions.asked.filter(({ tools }) => tools === undefined)).to.have.length(1);
    expect(run.spent).to.include({ modelCalls: 20 });
  });

  it('have a budget for each call of a session', async () => {
    const completions = await countingProvider();
    const bea = await stage.agent([bell(false)], { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', bea)]);
    const settings = { ...stage.options.settings, RUN_MAX_MODEL_CALLS: 3 };
    const toolbox = await stage.toolbox(outer, await stage.place(outer), {
      settings,
      ...completions,
    });
    for (const callId of ['c1', 'c2']) {
      const input = JSON.stringify({ question: 'Go.' });
      const call = toolbox.newCall({ callId, name: 'bea', arguments: input, position: 1 });
      const { outcome } = await ended(toolbox.advance(call, never));
      expect(outcome).to.include({ status: 'succeeded', output: 'That is all.' });
    }
    expect(completions.asked).to.have.length(6);
  });

  it('answer side by side, each with its own tools', async () => {
    const bea = await stage.agent([bell(false, 'bell')], { name: 'Bea' });
    const cara = await stage.agent([bell(false, 'horn')], { name: 'Cara' });
    const outer = await stage.agent([subagent('bea', bea), subagent('cara', cara)]);
    // Neither bell is answered before both ring.
    const ringing: (() => void)[] = [];
    stage.respond = (_heard, response) => {
      ringing.push(() => response.end('ok'));
      if (ringing.length === 2) for (const answer of ringing) answer();
    };
    const run = await ask(
      outer,
      `${asking('bea', '!call bell {"by":"bea"}')} ${asking('cara', '!call horn {"by":"cara"}')}`,
    );
    expect(run.state, run.answer).to.equal('answered');
    expect(stage.heard.map(({ body }) => body)).to.have.members(['{"by":"bea"}', '{"by":"cara"}']);
    for (const [chatbotId, name] of [
      [bea, 'bell'],
      [cara, 'horn'],
    ]) {
      const of = stage.told.filter(({ data }) => data['chatbotId'] === chatbotId);
      expect(of.map(({ type }) => type)).to.deep.equal([start, done, 'subagent.done']);
      expect(of[0]!.data).to.include({ functionName: name });
    }
    expect(stage.endings.sort()).to.deep.equal([
      ...['http succeeded', 'http succeeded', 'subagent succeeded', 'subagent succeeded'],
    ]);
    const outputs = run.messages.flatMap((said) => (said.role === 'tool' ? [said.content] : []));
    expect(outputs).to.have.length(2);
    expect(outputs[0]).to.match(/bell returned/);
    expect(outputs[1]).to.match(/horn returned/);
  });

  it('are paid for by the session that asks them', async () => {
    const bea = await stage.agent([bell(false)], { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', bea)]);
    const place = { ...(await stage.place(outer)), sessionId: randomUUID() };
    const { sessionId: id, conversationId } = place;
    const tokenHash = randomBytes(32);
    const sessions = () => inScope((scope) => sessionsOfConversation(scope, conversationId));
    await inScope((scope) =>
      startRealtimeSession(scope, {
        ...{ id, agentId: outer, conversationId, tokenHash, keyId: null },
      }),
    );
    const toolbox = await stage.toolbox(outer, place, { defaultConnection });
    const call = { callId: 'c', name: 'bea', position: 1 };
    const question = JSON.stringify({ question: '!call bell {}' });
    const asked = toolbox.newCall({ ...call, arguments: question });
    const { outcome } = await ended(toolbox.advance(asked, never));
    expect(outcome, outcome?.output).to.include({ status: 'succeeded' });
    await stage.options.journal.caughtUp(stage.organizationId);
    const { sessions: found, usage } = await sessions();
    expect(found[0]!.usage).to.have.length(1);
    expect(found[0]!.usage[0]).to.include({ model: 'any' });
    expect(found[0]!.usage[0]!.outputTextTokens).to.be.greaterThan(0);
    expect(usage).to.deep.equal(found[0]!.usage);
    const rows = await inScope(({ trx }) =>
      trx
        .selectFrom('usageRecords')
        .select('sourceId')
        .where('conversationId', '=', conversationId)
        .execute(),
    );
    expect(rows).to.have.length(2);
  });

  it('tell the model in words why they do not ask one another for ever', async () => {
    const agents = [await stage.agent([], { name: 'last' })];
    for (let n = 0; n < 4; n += 1)
      agents.unshift(await stage.agent([subagent('next', agents[0]!)], { name: `agent ${n}` }));
    let words = '!say Deep enough';
    for (let n = 0; n < 4; n += 1) words = asking('next', words);
    const run = await ask(agents[0]!, words);
    expect(run.state, run.answer).to.equal('answered');
    const refused = stage.told.filter(({ data }) =>
      String(data['text']).startsWith('At most 3 agents'),
    );
    expect(refused.map(({ data }) => data['chatbotId'])).to.deep.equal([agents[3]]);
    expect(stage.types().filter((type) => type === 'subagent.start')).to.have.length(3);
  });

  it('that are deleted meanwhile end their calls, and the model is told', async () => {
    const bea = await stage.agent([bell(true)], { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', bea)]);
    const answerer = await answererOf(outer);
    const asked = newRun([{ role: 'user', content: asking('bea', '!call bell {}') }], 1);
    const waiting = await answerer.answer(asked, never);
    const [approval] = waitingIn(waiting);
    await inScope((scope) => deleteAgent(scope, bea));
    const again = await answerer.answer(waiting, never);
    expect(again.state).to.equal('answered');
    expect(again.messages.find(({ role }) => role === 'tool')?.content).to.equal(
      'This agent does not exist any more.',
    );
    await stage.options.journal.caughtUp(stage.organizationId);
    const row = await inScope((scope) => findToolCall(scope, approval!.id));
    expect(row).to.include({ status: 'failed', approval: 'cancelled' });
    expect(stage.types()).to.deep.equal([
      ...[start, 'subagent.start', start, 'approval.waiting'],
      ...[done, 'subagent.done', done],
    ]);
    stage.forget();
    expect((await answerer.answer(asked, never)).state).to.equal('answered');
    expect(stage.types()).to.deep.equal([start, 'subagent.start', 'subagent.done', done]);
    expect(stage.last()).to.include({ status: 2, text: 'This agent does not exist any more.' });
    expect(stage.heard).to.be.empty;
  });

  it('whose connection is switched off say so', async () => {
    const bea = await stage.agent([], { name: 'Bea' });
    const off = { name: 'Off', kind: 'openai', models: [], realtime: false, enabled: false };
    await inScope(async (scope) => {
      const baseUrl = 'https://example.com';
      const connectionId = await insertConnection(scope, { ...off, baseUrl });
      await scope.trx.updateTable('agents').set({ connectionId }).where('id', '=', bea).execute();
    });
    const outer = await stage.agent([subagent('bea', bea)]);
    expect((await ask(outer, asking('bea', 'Well?'))).state).to.equal('answered');
    expect(stage.last()).to.include({ status: 2 });
    expect(stage.last()['text']).to.match(/connection cannot be used/);
  });
});
