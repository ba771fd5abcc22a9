import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { Conversation } from './support/record.js';
import { done, start, toolsAt, ToolScene, type Data } from './support/tool-scene.js';

const showMap = { name: 'show_map', description: 'Shows a map.' };

describe('tool calls of a session', () => {
  let scene: ToolScene;
  before(async () => (scene = await ToolScene.open()));
  after(() => scene.stage.close());
  beforeEach(() => scene.begin());
  afterEach(() => scene.client.leave());

  it('runs a tool, tells of it with every field, and lets the model answer', async () => {
    scene.say('!call weather {"city":"Oslo"}');
    const ended = await scene.dataOf(done);
    const begun = await scene.dataOf(start);
    const raw = await scene.client.event('response.function_call_arguments.done');
    const { agentId: chatbotId } = scene.stage.stores;
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
    await scene.said(/weather returned.*Sunny/);
    expect(scene.told).to.deep.equal([start, done]);
    expect(scene.names.indexOf('response.function_call_arguments.done')).to.be.lessThan(
      scene.names.indexOf(start),
    );
    expect(scene.server.calls('/weather')).to.deep.equal([
      { path: '/weather', body: { city: 'Oslo' } },
    ]);
    expect(await scene.conversation.said(3)).to.deep.equal([
      'user: !call weather {"city":"Oslo"}',
      'tool: Sunny.',
      'assistant: Here is what weather returned: Sunny.',
    ]);
    expect((await scene.conversation.messages())[1]).to.include({
      id: begun['id'],
      status: 'completed',
    });
    expect((await scene.calls())[0]).to.include({ name: 'weather', status: 1, approval: null });
  });

  it('answers calls in parallel with one response', async () => {
    scene.say('!call weather {"city":"A"} !call weather {"city":"B"} !call broken {}');
    await scene.said(/(?=.*Sunny.*Sunny)(?=.*broken)/s);
    expect(scene.told.filter((name) => name === done)).to.have.length(3);
    expect(scene.names.filter((name) => name === 'response.created')).to.have.length(2);
  });

  it('tells the model of a tool that fails', async () => {
    scene.say('!call broken {}');
    expect(await scene.dataOf(done)).to.have.property('status', 2);
    await scene.said(/broken returned/);
    expect((await scene.calls())[0]).to.include({ status: 2 });
  });

  for (const input of ['{"city":7}', '{}', 'nonsense'])
    it(`does not run a tool with the arguments ${input}`, async () => {
      scene.say(`!call weather ${input}`);
      expect(await scene.dataOf(done)).to.have.property('status', 2);
      await scene.said(/weather returned/);
      expect(scene.server.requests).to.be.empty;
    });

  it('answers a call of a tool that does not exist, and records it', async () => {
    scene.say('!call nothing {}');
    await scene.said(/no tool named nothing/);
    expect(await scene.dataOf(start)).to.deep.include({
      ...{ functionName: 'nothing', arguments: {}, approvalRequired: false, title: null },
    });
    expect(await scene.dataOf(done)).to.include({ status: 2, executionTimeSeconds: 0 });
    expect(scene.told).to.deep.equal([start, done]);
    expect((await scene.calls())[0]).to.include({ name: 'nothing', status: 2 });
  });

  it('calls a tool of an MCP server', async () => {
    scene.say('!call echo {"x":1}');
    expect(await scene.dataOf(done)).to.include({ status: 1, text: 'echo {"x":1}' });
    expect(scene.server.calls('/mcp')).to.deep.equal([{ path: '/mcp', body: { x: 1 } }]);
  });

  it('aborts a running tool when the user interrupts the response', async () => {
    scene.say('!call slow {} !delay 60000 !say Never.');
    await waitFor(() => scene.server.calls('/slow')[0], { what: 'the tool' });
    scene.client.send({ type: 'response.cancel' });
    expect(await scene.dataOf(done)).to.have.property('status', 2);
    await waitFor(() => scene.server.abandoned || undefined, { what: 'the abort' });
    expect(scene.told).to.deep.equal([start, done]);
  });

  it('aborts a running tool when the session ends', async () => {
    scene.say('!call slow {}');
    await waitFor(() => scene.server.calls('/slow')[0], { what: 'the tool' });
    await scene.client.leave();
    await waitFor(() => scene.server.abandoned || undefined, { what: 'the abort' });
    const [call] = await waitFor(
      async () => {
        const calls = await scene.calls();
        return calls[0]?.status === 2 ? calls : undefined;
      },
      { what: 'the end' },
    );
    expect(call).to.include({ name: 'slow', status: 2 });
  });

  it('holds up neither the answer nor another call while a tool runs', async () => {
    scene.say('!call slow {} !call weather {"city":"Oslo"}');
    await scene.client.where(({ type, data }) => type === done && (data as Data)['status'] === 1);
    scene.say('!say Still here.');
    await scene.said(/Still here/);
    expect(scene.server.calls('/slow')).to.have.length(1);
    scene.server.release();
    await scene.said(/slow returned: at last/);
  });

  describe('of client tools', () => {
    beforeEach(async () => {
      await scene.client.leave();
      await scene.enter({ clientTools: [showMap] });
    });
    const output = (call_id: unknown) => ({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id, output: 'shown' },
    });

    it('are the client’s: no events, no record', async () => {
      scene.say('!call show_map {}');
      const { call_id } = await scene.client.event('response.function_call_arguments.done');
      await scene.client.event('response.done');
      scene.client.send(output(call_id));
      scene.client.send({ type: 'response.create' });
      await scene.said(/show map returned: shown/);
      scene.client.send(output(call_id));
      expect((await scene.client.event('error'))['error']).to.include({
        code: 'FunctionOutputNotAllowed',
      });
      expect(scene.told).to.be.empty;
      expect(await scene.calls()).to.be.empty;
    });

    it('are answered for a client that does not', async () => {
      await scene.reenter({ REALTIME_CLIENT_TOOL_TIMEOUT_SECONDS: 1 }, { clientTools: [showMap] });
      scene.say('!call show_map {}');
      await scene.said(/did not answer/);
      expect(scene.told).to.be.empty;
    });

    it('mixed with backend tools are answered together', async () => {
      scene.say('!call slow {} !call show_map {}');
      const { call_id } = await scene.client.where(
        ({ type, name }) => type === 'response.function_call_arguments.done' && name === 'show_map',
      );
      await scene.client.event('response.done');
      scene.client.send(output(call_id));
      scene.client.send({ type: 'response.create' });
      await scene.client.where(
        ({ item }) => (item as { output?: string } | undefined)?.output === 'shown',
      );
      await waitFor(() => scene.server.calls('/slow')[0], { what: 'the tool' });
      expect(scene.names.filter((name) => name === 'response.created')).to.have.length(1);
      scene.server.release();
      await scene.said(/(shown.*at last)|(at last.*shown)/);
      expect(scene.names.filter((name) => name === 'response.created')).to.have.length(2);
    });
  });

  const askExpert = async (question: string) => {
    const expert = await scene.stage.addAgent(toolsAt(scene.server.origin));
    const tool = { kind: 'subagent', name: 'expert', description: 'Knows.', agentId: expert };
    const agentId = await scene.stage.addAgent([tool]);
    await scene.client.leave();
    scene.conversation = await Conversation.start(scene.stage, agentId);
    await scene.enter({ agentId });
    // Directives that are spelled so are the expert's alone.
    scene.say(`!call expert ${JSON.stringify({ question }).replaceAll('!', '\\u0021')}`);
  };

  it('take a decision about a sub-agent’s call while another one of it still runs', async () => {
    const before = scene.server.calls('/slow').length;
    await askExpert('!call pay {"amount":9} !call slow {}');
    const { callId } = await scene.dataOf('approval.waiting');
    await waitFor(() => scene.server.calls('/slow').length > before, { what: 'the other tool' });
    scene.client.send({ type: 'approval.approve', callId });
    await waitFor(
      async () => (await scene.calls()).some(({ approval }) => approval === 'approved'),
      { what: 'the decision' },
    );
    const paid = scene.server.calls('/paid').length;
    scene.server.release();
    await scene.said(/expert returned/);
    expect(scene.server.calls('/paid')).to.have.length(paid + 1);
    expect(scene.names).to.not.include('error');
  });

  it('ask a sub-agent, whose calls are told and approved on the same socket', async () => {
    await askExpert('!call pay {"amount":9}');
    const paid = scene.server.calls('/paid').length;
    const { callId } = await scene.dataOf('approval.waiting');
    scene.client.send({ type: 'approval.approve', callId });
    await scene.client.where(({ type, data }) => type === done && (data as Data).callId !== callId);
    expect(scene.told).to.deep.equal([
      start,
      'subagent.start',
      start,
      'approval.waiting',
      'approval.approved',
      done,
      'subagent.done',
      done,
    ]);
    expect(scene.server.calls('/paid')).to.have.length(paid + 1);
    await scene.said(/expert returned/);
  });

  it('show in the metrics', async () => {
    const text = await scene.running.metrics();
    expect(text).to.match(/^parley_realtime_approvals_waiting\{.*\} 0$/m);
    expect(text).to.match(/^parley_tools_running/m);
  });
});
