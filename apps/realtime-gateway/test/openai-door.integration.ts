import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { ephemeralKey } from '@parley/session-store';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { startRawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway, type StartOptions } from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';
import { toolsAt } from './support/tool-scene.js';
import { ToolServer } from './support/tool-server.js';

type Told = { type: string } & Record<string, unknown>;

describe('OpenAI’s own realtime client with another base URL and key', () => {
  let stage: Stage;
  let simulator: Simulator;
  let server: ToolServer;
  let running: RunningGateway;

  before(async () => {
    server = await ToolServer.start();
    stage = await Stage.open(toolsAt(server.origin));
    stage.onClose(() => server.close());
    simulator = await startSimulator({ settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 } });
    stage.onClose(() => simulator.close());
    running = await start();
  });
  beforeEach(() => {
    server.requests.length = 0;
  });
  after(() => stage.close());

  const start = (more: StartOptions = {}) =>
    stage.startGateway({
      providerUrl: simulator.url,
      providerKey: 'sk-simulated',
      ...more,
      settings: { OPENAI_DOOR: true, ...more.settings },
    });

  /** The client itself, its events, and a promise of each that is awaited. */
  async function enter(apiKey = stage.stores.key, { at = running } = {}) {
    const { host, port } = new URL(at.origin);
    const client = new OpenAI({ apiKey, baseURL: `http://${host}/v1` });
    // The client insists on wss:, but takes the connection that it is given.
    const createConnection = () => connect(Number(port), '127.0.0.1');
    const { agentId: model } = stage.stores;
    const realtime = new OpenAIRealtimeWS({ model, options: { createConnection } }, client);
    const events: Told[] = [];
    realtime.on('event', (event) => events.push(event as unknown as Told));
    realtime.on('error', () => undefined);
    const told = (matches: (event: Told) => boolean, what: string) =>
      waitFor(() => events.find(matches), { what });
    await told(({ type }) => type === 'session.updated', 'session.updated');
    return {
      realtime,
      events,
      told,
      type: (type: string) => told((event) => event.type === type, type),
      said: (words: RegExp) =>
        told(
          ({ type, transcript }) =>
            type === 'response.output_audio_transcript.done' && words.test(String(transcript)),
          words.source,
        ),
      say(text: string) {
        realtime.send({
          type: 'conversation.item.create',
          item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        });
        realtime.send({ type: 'response.create' });
      },
      async leave() {
        const closed = once(realtime.socket, 'close');
        realtime.close();
        await closed;
      },
    };
  }

  /** Everything in the provider's events that would tell of a call. */
  const callsIn = (events: readonly Told[]) =>
    events
      .filter(({ type }) => !type.startsWith('response.function_invocation'))
      .filter((event) => JSON.stringify(event).includes('function_call'));

  it('holds a text turn with an API key, and is told its conversation', async () => {
    const visitor = await enter();
    expect(visitor.events.map(({ type }) => type).slice(0, 3)).to.deep.equal([
      'session.created',
      'session.conversation',
      'session.updated',
    ]);
    const { data } = await visitor.type('session.conversation');
    const { conversationId } = data as { conversationId: string };
    visitor.say('!say Good morning.');
    await visitor.said(/^Good morning\.$/);
    await visitor.type('response.completed');
    const { database, organizationId, keyId } = stage.stores;
    const rows = await database.inOrganization(organizationId, ({ trx }) =>
      trx
        .selectFrom('messages')
        .innerJoin('realtimeSessions', 'realtimeSessions.id', 'messages.sessionId')
        .select(['messages.content', 'realtimeSessions.keyId'])
        .where('messages.conversationId', '=', conversationId)
        .orderBy('messages.position')
        .execute(),
    );
    expect(rows).to.deep.equal([
      { content: '!say Good morning.', keyId },
      { content: 'Good morning.', keyId },
    ]);
    const audit = await database.inOrganization(organizationId, ({ trx }) =>
      trx
        .selectFrom('auditLog')
        .select('action')
        .where('resourceId', '=', conversationId)
        .execute(),
    );
    expect(audit).to.deep.equal([{ action: 'realtimeSession.created' }]);
    await visitor.leave();
  });

  it('is let in once with an ephemeral key', async () => {
    const { token } = await stage.issue();
    const key = ephemeralKey(token);
    const visitor = await enter(key);
    await visitor.leave();
    const headers = { Authorization: `Bearer ${key}` };
    const { status, body } = await refusalOf(`${running.origin}/v1/realtime`, { headers });
    expect(status).to.equal(401);
    expect(body).to.have.nested.property('error.code', 'RealtimeSessionAlreadyUsed');
  });

  it('answers calls of its own tools and hears of no others', async () => {
    const clientTools = [{ name: 'show_map', description: 'Shows a map.' }];
    const { token } = await stage.issue({ clientTools });
    const visitor = await enter(ephemeralKey(token));
    visitor.say('!call weather {"city":"Oslo"}\n!call show_map {}');
    const { call_id } = await visitor.type('response.function_call_arguments.done');
    visitor.realtime.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: String(call_id), output: 'shown' },
    });
    visitor.realtime.send({ type: 'response.create' });
    await visitor.said(/shown/);
    const text = JSON.stringify(callsIn(visitor.events));
    expect(text).to.include('show_map');
    expect(text).not.to.include('weather');
    expect(text).not.to.include('Oslo');
    const [done] = visitor.events.filter(({ type }) => type === 'response.done');
    const { output } = done!['response'] as { output: { name?: string }[] };
    expect(output.map(({ name }) => name)).to.deep.equal(['show_map']);
    await visitor.leave();
  });

  it('sets what the agent leaves open, whatever the setting says of clients', async () => {
    const strict = await start({ settings: { REALTIME_CLIENT_OVERRIDES: 'refuse' } });
    const visitor = await enter(stage.stores.key, { at: strict });
    visitor.realtime.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        model: stage.stores.agentId,
        audio: { output: { voice: 'marin' } },
        tools: [{ type: 'function', name: 'show_map', parameters: { type: 'object' } }],
      },
    });
    const { session } = await visitor.told(
      (event) => event.type === 'session.updated' && JSON.stringify(event).includes('show_map'),
      'session.updated',
    );
    expect(session).to.have.nested.property('audio.output.voice', 'marin');
    expect(session).to.include({ instructions: 'Be kind.' });
    visitor.say('!call show_map {}');
    const { call_id } = await visitor.type('response.function_call_arguments.done');
    visitor.realtime.send({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id: String(call_id), output: 'shown' },
    });
    visitor.realtime.send({ type: 'response.create' });
    await visitor.said(/shown/);
    const types = visitor.events.map(({ type }) => type);
    expect(types).not.to.include('session.notice');
    expect(types).not.to.include('error');
    visitor.realtime.send({
      type: 'session.update',
      session: { type: 'realtime', instructions: 'Be rude.' },
    });
    const { data } = await visitor.type('session.notice');
    expect(data).to.deep.equal({ code: 'FieldsNotTaken', fields: ['instructions'] });
    await visitor.leave();
  });

  it('hears what a backend tool did, and nothing of its call', async () => {
    const visitor = await enter();
    visitor.say('!call weather {"city":"Oslo"}');
    await visitor.said(/returned/);
    const { data } = await visitor.type('response.function_invocation.done');
    expect(data).to.include({ status: 1 });
    expect(callsIn(visitor.events)).to.deep.equal([]);
    const dones = visitor.events.filter(({ type }) => type === 'response.done');
    expect((dones[0]!['response'] as { output: unknown[] }).output).to.deep.equal([]);
    await visitor.leave();
  });

  it('hears of a backend tool that was approved elsewhere', async () => {
    const visitor = await enter();
    visitor.say('!call pay {"amount":1}');
    const { data } = await visitor.type('approval.waiting');
    expect(server.requests).to.deep.equal([]);
    await stage.decide((data as { messageId: string }).messageId, 'approved');
    await visitor.said(/returned/);
    expect(visitor.events.map(({ type }) => type)).to.include.members([
      'approval.approved',
      'response.function_invocation.done',
    ]);
    expect(callsIn(visitor.events)).to.deep.equal([]);
    expect(server.requests).to.have.length(1);
    await visitor.leave();
  });

  it('is told nothing of the calls of a conversation that goes on', async () => {
    const first = await enter();
    const { data } = await first.type('session.conversation');
    const { conversationId } = data as { conversationId: string };
    first.say('!call weather {"city":"Oslo"}');
    await first.said(/returned/);
    await first.type('response.completed');
    await first.leave();
    const { token } = await stage.issue({ conversationId });
    const second = await enter(ephemeralKey(token));
    second.say('!say Again.');
    await second.said(/Again/);
    expect(callsIn(second.events)).to.deep.equal([]);
    expect(JSON.stringify(second.events)).to.include('!call weather');
    await second.leave();
  });

  it('comes from a browser with subprotocols, of which the right one is chosen', async () => {
    const { token } = await stage.issue();
    const protocols = [
      'openai-beta.realtime-v1',
      `openai-insecure-api-key.${ephemeralKey(token)}`,
      'realtime',
      'openai-agents-sdk.0.1.0',
    ];
    const client = new TestClient(
      `${running.origin}/v1/realtime?model=gpt-realtime`,
      {},
      protocols,
    );
    await client.event('session.updated');
    expect(client.socket.protocol).to.equal('realtime');
    await client.leave();
  });

  it('leaves its key, its subprotocols and its beta header behind', async () => {
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const there = await start({ providerUrl: provider.url, providerKey: 'sk-provider' });
    const { key, agentId } = stage.stores;
    const session = provider.nextSession();
    const client = new TestClient(
      `${there.origin}/v1/realtime?model=${agentId}`,
      {
        headers: {
          Authorization: `Bearer ${key}`,
          'OpenAI-Beta': 'realtime=v1',
          'OpenAI-Organization': stage.stores.organizationId,
        },
      },
      ['realtime'],
    );
    const { request } = await session;
    const text = JSON.stringify(request.headers).toLowerCase();
    expect(request.headers.authorization).to.equal('Bearer sk-provider');
    for (const word of [
      key.toLowerCase(),
      'openai-beta',
      'sec-websocket-protocol',
      'openai-organization',
    ])
      expect(text).not.to.include(word);
    expect(there.logs.join('')).not.to.include(key);
    client.socket.terminate();
    await client.closed;
  });
});
