import { expect } from 'chai';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { Conversation } from './support/record.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient, type Event } from './support/test-client.js';
import { ToolServer } from './support/tool-server.js';

type Data = Record<string, unknown> & { callId: string };
type CallRow = { status: number; approval: string | null; name: string; result: unknown };

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';
const showMap = { name: 'show_map', description: 'Shows a map.' };

describe('tool calls of a session', () => {
  let stage: Stage;
  let server: ToolServer;
  let simulator: Simulator;
  let running: RunningGateway;
  let conversation: Conversation;
  let client: TestClient;

  before(async () => {
    server = await ToolServer.start();
    stage = await Stage.open(toolsAt(server.origin));
    stage.onClose(() => server.close());
    simulator = await startSimulator({ settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 } });
    stage.onClose(() => simulator.close());
    running = await stage.startGateway({ providerUrl: simulator.url, providerKey: 'sk-test' });
  });
  after(() => stage.close());

  beforeEach(async () => {
    server.requests.length = 0;
    server.abandoned = 0;
    conversation = await Conversation.start(stage);
    client = await open();
  });
  afterEach(() => client.leave());

  const open = async (gateway = running, more: object = {}) => {
    const { path } = await stage.issue({ conversationId: conversation.id, ...more });
    return TestClient.ready(gateway.origin + path);
  };
  const dataOf = async (type: string) => (await client.event(type))['data'] as Data;
  const names = () => client.events.map(({ type }) => type);
  /** The custom events about calls, in order. */
  const told = () => names().filter((name) => /^(response\.function_inv|approval|suba)/.test(name));
  const calls = () =>
    conversation.rows<CallRow>(
      'select * from tool_calls where conversation_id = $1 order by created_at',
    );
  /** What the model said last. */
  const said = async (pattern: RegExp) =>
    client.where((event) => pattern.test(transcriptOf(event)), `the words ${pattern.source}`);

  it('runs a tool, tells of it with every field, and lets the model answer', async () => {
    say(client, '!call weather {"city":"Oslo"}');
    const ended = await dataOf(done);
    const begun = await dataOf(start);
    const raw = await client.event('response.function_call_arguments.done');
    const { agentId: chatbotId } = stage.stores;
    const same = { id: begun['id'], callId: raw['call_id'], title: 'Looking up', chatbotId };
    expect(begun).to.deep.equal({
      ...same,
      imageUrl: 'https://example.com/sun.png',
      arguments: { city: 'Oslo' },
      approvalRequired: false,
      functionName: 'weather',
    });
    expect(ended).to.deep.equal({
      ...same,
      imageUrl: 'https://example.com/sun.png',
      text: 'Sunny.',
      button: { label: 'Map', link: 'https://example.com/map' },
      buttonLabel: 'Map',
      buttonLink: 'https://example.com/map',
      status: 1,
      executionTimeSeconds: ended['executionTimeSeconds'],
    });
    expect(ended['executionTimeSeconds']).to.be.a('number').that.is.at.least(0);
    await said(/weather returned.*Sunny/);
    expect(told()).to.deep.equal([start, done]);
    expect(names().indexOf('response.function_call_arguments.done')).to.be.lessThan(
      names().indexOf(start),
    );
    expect(server.calls('/weather')).to.deep.equal([{ path: '/weather', body: { city: 'Oslo' } }]);
    expect(await conversation.said(3)).to.deep.equal([
      'user: !call weather {"city":"Oslo"}',
      'tool: Sunny.',
      'assistant: Here is what weather returned: Sunny.',
    ]);
    expect((await conversation.messages())[1]).to.include({ id: begun['id'], status: 'completed' });
    expect((await calls())[0]).to.include({ name: 'weather', status: 1, approval: null });
  });

  it('answers calls in parallel with one response', async () => {
    say(client, '!call weather {"city":"A"} !call weather {"city":"B"} !call broken {}');
    await said(/Sunny.*Sunny.*broken/);
    expect(told().filter((name) => name === done)).to.have.length(3);
    expect(names().filter((name) => name === 'response.created')).to.have.length(2);
  });

  it('tells the model of a tool that fails', async () => {
    say(client, '!call broken {}');
    expect(await dataOf(done)).to.have.property('status', 2);
    await said(/broken returned/);
    expect((await calls())[0]).to.include({ status: 2 });
  });

  for (const input of ['{"city":7}', '{}', 'nonsense'])
    it(`does not run a tool with the arguments ${input}`, async () => {
      say(client, `!call weather ${input}`);
      expect(await dataOf(done)).to.have.property('status', 2);
      await said(/weather returned/);
      expect(server.requests).to.be.empty;
    });

  it('answers a call of a tool that does not exist, and tells nobody else', async () => {
    say(client, '!call nothing {}');
    await said(/no tool with the name/);
    expect(told()).to.be.empty;
  });

  it('calls a tool of an MCP server', async () => {
    say(client, '!call echo {"x":1}');
    expect(await dataOf(done)).to.include({ status: 1, text: 'echo {"x":1}' });
    expect(server.calls('/mcp')).to.deep.equal([{ path: '/mcp', body: { x: 1 } }]);
  });

  describe('that need approval', () => {
    const waiting = async () => {
      say(client, '!call pay {"amount":5}');
      return dataOf('approval.waiting');
    };

    it('run when the client approves', async () => {
      const { callId, messageId, timeoutSeconds } = await waiting();
      expect(await dataOf(start)).to.include({ callId, id: messageId, approvalRequired: true });
      expect(timeoutSeconds).to.equal(300);
      expect(server.requests).to.be.empty;
      client.send({ type: 'approval.approve', callId });
      expect(await dataOf('approval.approved')).to.deep.equal({ callId, messageId });
      expect(await dataOf(done)).to.include({ callId, status: 1, text: 'Paid.' });
      expect(told()).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
      expect(server.calls('/paid')).to.deep.equal([{ path: '/paid', body: { amount: 5 } }]);
      await said(/pay returned: Paid/);
      expect((await calls())[0]).to.include({ status: 1, approval: 'approved' });
    });

    it('do not run when the client rejects', async () => {
      const { callId } = await waiting();
      client.send({ type: 'approval.reject', call_id: callId });
      expect(await dataOf(done)).to.include({ callId, status: 2 });
      await said(/rejected/);
      expect(told()).to.deep.equal([start, 'approval.waiting', done]);
      client.send({ type: 'approval.approve', callId });
      const { error } = await client.event('error');
      expect(error).to.include({ code: 'ApprovalNotWaiting' });
      expect(server.requests).to.be.empty;
      expect((await calls())[0]).to.include({ status: 2, approval: 'rejected' });
    });

    it('run when another process approves', async () => {
      const { messageId } = await waiting();
      await stage.decide(messageId as string, 'approved');
      await dataOf(done);
      expect(told()).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
      expect(server.calls('/paid')).to.have.length(1);
    });

    it('run once, however many decide', async () => {
      const { callId, messageId } = await waiting();
      for (let n = 0; n < 5; n += 1) client.send({ type: 'approval.approve', callId });
      await stage.decide(messageId as string, 'approved').catch(() => undefined);
      await dataOf(done);
      expect(server.calls('/paid')).to.have.length(1);
      expect(told()).to.deep.equal([start, 'approval.waiting', 'approval.approved', done]);
    });

    it('expire', async () => {
      const quick = await stage.startGateway({
        providerUrl: simulator.url,
        providerKey: 'sk-test',
        settings: { REALTIME_APPROVAL_TIMEOUT_SECONDS: 1 },
      });
      await client.leave();
      client = await open(quick);
      const { callId, messageId } = await waiting();
      expect(await dataOf('approval.expired')).to.deep.equal({ callId, messageId });
      expect(await dataOf(done)).to.include({ callId, status: 2 });
      await said(/timed out/);
      expect(told()).to.deep.equal([start, 'approval.waiting', 'approval.expired', done]);
      expect(server.requests).to.be.empty;
    });

    it('are cancelled with their response', async () => {
      say(client, '!call pay {"amount":5} !delay 60000 !say Never.');
      await dataOf('approval.waiting');
      client.send({ type: 'response.cancel' });
      expect(await dataOf(done)).to.have.property('status', 2);
      expect(told()).to.deep.equal([start, 'approval.waiting', done]);
      expect((await calls())[0]).to.include({ status: 2, approval: 'cancelled' });
      say(client, '!say Go on.');
      await said(/Go on/);
      expect(server.requests).to.be.empty;
    });

    it('are cancelled when the session ends', async () => {
      await waiting();
      await client.leave();
      const [call] = await waitFor(async () => {
        const rows = await calls();
        return rows[0]?.approval === 'cancelled' ? rows : undefined;
      }, { what: 'the end of the call' });
      expect(call).to.include({ status: 2 });
      expect(server.requests).to.be.empty;
    });

    it('keep an idle session open while they wait', async () => {
      const quick = await stage.startGateway({
        providerUrl: simulator.url,
        providerKey: 'sk-test',
        settings: { REALTIME_IDLE_TIMEOUT_SECONDS: 1, REALTIME_APPROVAL_TIMEOUT_SECONDS: 2 },
      });
      await client.leave();
      client = await open(quick);
      await waiting();
      await dataOf('approval.expired');
      expect(await client.closed).to.deep.equal({ code: 4411, reason: 'IdleTimeout' });
    });
  });

  it('aborts a running tool when the user interrupts the response', async () => {
    say(client, '!call slow {} !delay 60000 !say Never.');
    await waitFor(() => server.calls('/slow')[0], { what: 'the tool' });
    client.send({ type: 'response.cancel' });
    expect(await dataOf(done)).to.have.property('status', 2);
    await waitFor(() => server.abandoned || undefined, { what: 'the abort' });
    expect(told()).to.deep.equal([start, done]);
  });

  it('aborts a running tool when the session ends', async () => {
    say(client, '!call slow {}');
    await waitFor(() => server.calls('/slow')[0], { what: 'the tool' });
    await client.leave();
    await waitFor(() => server.abandoned || undefined, { what: 'the abort' });
    await waitFor(async () => ((await calls())[0]?.status === 2 ? true : undefined), { what: 'the end' });
  });

  it('holds up neither the answer nor another call while a tool runs', async () => {
    say(client, '!call slow {} !call weather {"city":"Oslo"}');
    await client.where(({ type, data }) => type === done && (data as Data)['status'] === 1);
    say(client, '!say Still here.');
    await said(/Still here/);
    server.release();
    await said(/slow returned: at last/);
  });

  describe('of client tools', () => {
    beforeEach(async () => {
      await client.leave();
      client = await open(running, { clientTools: [showMap] });
    });
    const output = (call_id: unknown) => ({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id, output: 'shown' },
    });

    it('are the client’s: no events, no record', async () => {
      say(client, '!call show_map {}');
      const { call_id } = await client.event('response.function_call_arguments.done');
      await client.event('response.done');
      client.send(output(call_id));
      client.send({ type: 'response.create' });
      await said(/show map returned: shown/);
      client.send(output(call_id));
      expect((await client.event('error'))['error']).to.include({
        code: 'FunctionOutputNotAllowed',
      });
      expect(told()).to.be.empty;
      expect(await calls()).to.be.empty;
    });

    it('are answered for a client that does not', async () => {
      const quick = await stage.startGateway({
        providerUrl: simulator.url,
        providerKey: 'sk-test',
        settings: { REALTIME_CLIENT_TOOL_TIMEOUT_SECONDS: 1 },
      });
      await client.leave();
      client = await open(quick, { clientTools: [showMap] });
      say(client, '!call show_map {}');
      await said(/did not answer/);
    });

    it('mixed with backend tools are answered together', async () => {
      say(client, '!call slow {} !call show_map {}');
      const { call_id } = await client.where(
        ({ type, name }) =>
          type === 'response.function_call_arguments.done' && name === 'show_map',
      );
      await client.event('response.done');
      client.send(output(call_id));
      client.send({ type: 'response.create' });
      await client.where(({ item }) => (item as { output?: string } | undefined)?.output === 'shown');
      await waitFor(() => server.calls('/slow')[0], { what: 'the tool' });
      expect(names().filter((name) => name === 'response.created')).to.have.length(1);
      server.release();
      await said(/(shown.*at last)|(at last.*shown)/);
      expect(names().filter((name) => name === 'response.created')).to.have.length(2);
    });
  });

  it('ask a sub-agent, whose calls are told and approved on the same socket', async () => {
    const expert = await stage.addAgent(toolsAt(server.origin));
    const tool = { kind: 'subagent', name: 'expert', description: 'Knows.', agentId: expert };
    const agentId = await stage.addAgent([tool]);
    await client.leave();
    conversation = await Conversation.start(stage, agentId);
    client = await open(running, { agentId });
    const question = JSON.stringify({ question: '!call pay {"amount":9}' });
    say(client, `!call expert ${question}`);
    const { callId } = await dataOf('approval.waiting');
    client.send({ type: 'approval.approve', callId });
    await client.where(({ type, data }) => type === done && (data as Data).callId !== callId);
    expect(told()).to.deep.equal([
      start,
      'subagent.start',
      start,
      'approval.waiting',
      'approval.approved',
      done,
      'subagent.done',
      done,
    ]);
    expect(server.calls('/paid')).to.have.length(1);
    await said(/expert returned/);
  });

  it('show in the metrics', async () => {
    const text = await running.metrics();
    expect(text).to.match(/^parley_realtime_approvals_waiting\{.*\} 0$/m);
    expect(text).to.match(/^parley_tools_running/m);
  });
});

function toolsAt(origin: string): unknown[] {
  const http = { kind: 'http', description: 'A tool.', method: 'GET' };
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  };
  return [
    {
      ...http,
      name: 'weather',
      url: `${origin}/weather`,
      parameters,
      title: 'Looking up',
      imageUrl: 'https://example.com/sun.png',
      button: { label: 'Map', link: 'https://example.com' },
    },
    { ...http, name: 'broken', url: `${origin}/broken` },
    { ...http, name: 'slow', url: `${origin}/slow` },
    { ...http, name: 'pay', url: `${origin}/paid`, method: 'POST', approvalRequired: true },
    { kind: 'mcp', name: 'things', serverUrl: `${origin}/mcp` },
  ];
}

function say(client: TestClient, text: string): void {
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });
  client.send({ type: 'response.create' });
}

function transcriptOf(event: Event): string {
  return event.type === 'response.output_audio_transcript.done' ? String(event['transcript']) : '';
}
