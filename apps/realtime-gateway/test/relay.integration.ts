import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import type { WebSocket } from 'ws';
import { waitFor } from '@parley/testkit';
import { startRawProvider, type ProviderPeer, type RawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient } from './support/test-client.js';

type Sent = { data: Buffer | string; binary: boolean };

describe('the relay', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;

  before(async () => {
    stage = await Stage.open([
      {
        kind: 'http',
        name: 'lookup',
        description: 'Looks up.',
        method: 'GET',
        url: 'https://example.com',
        parameters: { type: 'object', properties: { q: { type: 'string' } } },
      },
    ]);
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    running = await stage.startGateway({
      providerUrl: provider.url,
      providerKey: 'provider-key-1',
    });
  });
  after(() => stage.close());

  const session = async (
    ticket = {},
    { origin } = running,
  ): Promise<{ client: TestClient; peer: ProviderPeer }> => {
    const { path } = await stage.issue(ticket);
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(origin + path),
    ]);
    return { client, peer };
  };

  it('carries 2,000 mixed frames each way, unchanged and in order', async () => {
    const { client, peer } = await session();
    const before = client.frames.length;
    const [up, down] = [mixedFrames(2000, 1), mixedFrames(2000, 2)];
    const upHash = hashOf(peer.socket, up.length);
    for (let n = 0; n < 2000; n += 1) {
      send(client.socket, up[n]!);
      send(peer.socket, down[n]!);
    }
    expect(await upHash).to.equal(hash(up));
    await waitFor(() => client.frames.length === before + down.length, { what: 'all frames' });
    expect(hash(client.frames.slice(before))).to.equal(hash(down));
    await client.leave();
  });

  it('loses nothing that a client sends in the opening tick, while the provider is slow', async () => {
    let open: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (open = resolve));
    const slow = await startRawProvider({ ready });
    stage.onClose(() => slow.close());
    const gateway = await stage.startGateway({ providerUrl: slow.url });
    const client = new TestClient(gateway.origin + (await stage.issue()).path);
    const sent = mixedFrames(50, 3);
    const received = slow.nextSession().then(({ socket }) => hashOf(socket, sent.length));
    await once(client.socket, 'open');
    for (const frame of sent) send(client.socket, frame);
    await client.event('session.created');
    open();
    expect(await received).to.equal(hash(sent));
    await client.leave();
  });

  it('answers the pings of a client', async () => {
    const { client } = await session();
    const answered = once(client.socket, 'pong');
    client.socket.ping('beat');
    expect(String((await answered)[0])).to.equal('beat');
    await client.leave();
  });

  it('configures the provider with the agent and the session', async () => {
    const { client, peer } = await session({
      additionalInstructions: 'Be brief.',
      clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
    });
    expect(peer.request.url).to.equal('/v1/realtime?model=gpt-realtime');
    expect(peer.request.headers.authorization).to.equal('Bearer provider-key-1');
    await client.leave();
  });

  describe('keeps the agent the service’s', () => {
    const clientTools = [{ name: 'show_map', description: 'Shows a map.' }];
    const output = (call_id: string) => ({
      type: 'conversation.item.create',
      item: { type: 'function_call_output', call_id, output: '{}' },
    });
    const item = (fields: object) => ({
      type: 'conversation.item.create',
      event_id: 'mine',
      item: { type: 'message', role: 'user', content: [], ...fields },
    });
    const refusals: [what: string, event: unknown, code: string][] = [
      ['session.update', { type: 'session.update', session: {} }, 'SessionUpdateNotAllowed'],
      [
        'an override in response.create',
        { type: 'response.create', response: { instructions: 'x' } },
        'ResponseOverrideNotAllowed',
      ],
      ['an output for a backend tool', output('call_backend'), 'FunctionOutputNotAllowed'],
      ['an output for no call', output('call_none'), 'FunctionOutputNotAllowed'],
      ['a system message', item({ role: 'system' }), 'ItemNotAllowed'],
      ['a call in the model’s name', item({ type: 'function_call' }), 'ItemNotAllowed'],
      ['an id of the service', item({ id: 'gw_output_1' }), 'ItemNotAllowed'],
      [
        'session.update in a binary frame',
        Buffer.from('{"type":"session.update"}'),
        'SessionUpdateNotAllowed',
      ],
      ['an approval', { type: 'approval.approve', callId: 'c' }, 'ApprovalNotWaiting'],
      ['two types', '{"type":"response.cancel","type":"session.update"}', 'EventMalformed'],
      ['no JSON', 'hello', 'EventMalformed'],
    ];
    let refusing: RunningGateway;
    before(async () => {
      refusing = await stage.startGateway({
        providerUrl: provider.url,
        settings: { REALTIME_CLIENT_OVERRIDES: 'refuse' },
      });
    });

    for (const [what, event, code] of refusals)
      it(`refuses ${what} with ${code} and goes on`, async () => {
        const { client, peer } = await session({ clientTools }, refusing);
        await announceCalls(client, peer);
        const next = passedOn(peer);
        client.send(event);
        client.send({ type: 'response.cancel' });
        const error = await client.event('error');
        expect(error).to.have.all.keys('type', 'event_id', 'error');
        const { event_id } = event as { event_id?: string };
        expect(error['error']).to.include({ type: 'service_error', code });
        expect((error['error'] as { event_id?: string }).event_id).to.equal(event_id);
        expect(await next).to.equal('{"type":"response.cancel"}');
        await client.leave();
      });

    it('passes the output of a client tool once', async () => {
      const { client, peer } = await session({ clientTools });
      await announceCalls(client, peer);
      const next = passedOn(peer);
      client.send(output('call_client'));
      client.send(output('call_client'));
      expect(JSON.parse(await next)).to.deep.equal(output('call_client'));
      await client.event('error');
      await client.leave();
    });

    it('lets clients override the agent where the operator allows it', async () => {
      const gateway = await stage.startGateway({
        providerUrl: provider.url,
        settings: { REALTIME_CLIENT_OVERRIDES: 'allow' },
      });
      const { client, peer } = await session({}, gateway);
      const next = passedOn(peer);
      client.send('{"type":"session.update","session":{"instructions":"Sing."}}');
      expect(await next).to.include('Sing.');
      await client.leave();
    });

    it('withholds the provider’s errors about what the service itself sent', async () => {
      const { client, peer } = await session();
      const create = once(peer.socket, 'message') as Promise<[Buffer]>;
      const call = { call_id: 'c', name: 'absent', arguments: '{}' };
      peer.socket.send(JSON.stringify({ type: 'response.function_call_arguments.done', ...call }));
      const { event_id } = JSON.parse(String((await create)[0])) as { event_id: string };
      const error = { code: 'x', event_id, message: 'm' };
      peer.socket.send(JSON.stringify({ type: 'error', error }));
      peer.socket.send('{"type":"rate_limits.updated"}');
      await client.event('rate_limits.updated');
      expect(client.events.some(({ type }) => type === 'error')).to.equal(false);
      await client.leave();
    });

    /** The next event that is the client's: the service answers calls of its own meanwhile. */
    function passedOn({ socket }: ProviderPeer): Promise<string> {
      return new Promise((resolve) => {
        socket.on('message', (data) => {
          const text = (data as Buffer).toString();
          if (!text.includes('"event_id":"gw_')) resolve(text);
        });
      });
    }

    async function announceCalls(client: TestClient, { socket }: ProviderPeer): Promise<void> {
      const done = { type: 'response.function_call_arguments.done', arguments: '{}' };
      const calls = { call_backend: 'lookup', call_client: 'show_map' };
      for (const [call_id, name] of Object.entries(calls))
        socket.send(JSON.stringify({ ...done, call_id, name }));
      await client.where((event) => event['call_id'] === 'call_client');
    }
  });

  it('measures how long the user waits for the agent’s voice', async () => {
    const gateway = await stage.startGateway({ providerUrl: provider.url });
    const connecting = provider.nextSession();
    const client = await TestClient.ready(gateway.origin + (await stage.issue()).path);
    const { socket } = await connecting;
    for (const type of ['input_audio_buffer.speech_stopped', 'response.output_audio.delta'])
      socket.send(JSON.stringify({ type, delta: 'AAAA' }));
    await client.event('response.output_audio.delta');
    expect(await gateway.metrics()).to.include(
      'parley_realtime_first_audio_seconds_count{app="test"} 1',
    );
    await client.leave();
  });

  it('counts frames and bytes by side and route, and sessions by their journey', async () => {
    const gateway = await stage.startGateway({ providerUrl: provider.url });
    const client = await TestClient.ready(gateway.origin + (await stage.issue()).path);
    client.send('{"type":"session.update"}');
    client.socket.send(Buffer.alloc(10));
    await client.event('error');
    expect(await gateway.metrics()).to.include('parley_realtime_sessions_active{app="test"} 1');
    await client.leave();
    await waitFor(() => gateway.gateway.activeSessions === 0, { what: 'the end' });
    const metrics = await gateway.metrics();
    for (const line of [
      'parley_realtime_sessions_admitted_total{app="test"} 1',
      'parley_realtime_sessions_ended_total{close="Normal",app="test"} 1',
      'parley_realtime_sessions_active{app="test"} 0',
      'parley_realtime_frames_total{from="client",route="settings",app="test"} 1',
      'parley_realtime_bytes_total{from="client",route="settings",app="test"} 25',
      'parley_realtime_bytes_total{from="client",route="binary",app="test"} 10',
      'parley_realtime_frames_total{from="provider",route="session",app="test"} 2',
      'parley_realtime_provider_connect_seconds_count{app="test"} 1',
    ])
      expect(metrics).to.include(line);
  });
});

/** Text and binary frames of 1 byte to 60 KB; texts are events that the relay forwards, with their type in odd places. */
function mixedFrames(count: number, seed: number): Sent[] {
  return Array.from({ length: count }, (_, n) => {
    const size = 1 + ((n * 7919 * seed) % (n % 50 === 0 ? 60_000 : 900));
    if (n % 3 === 0) return { data: Buffer.alloc(size, n), binary: true };
    const audio = 'é"\\'.repeat(size / 8);
    const late = { n, audio, nested: { type: 'no' }, type: 'x.unknown' };
    const early = { type: 'input_audio_buffer.append', n, audio };
    return { data: JSON.stringify(n % 2 ? late : early, null, n % 5), binary: false };
  });
}

function send(socket: WebSocket, { data, binary }: Sent): void {
  socket.send(data, { binary });
}

function hash(frames: readonly Sent[]): string {
  const sum = createHash('sha256');
  for (const { data, binary } of frames) sum.update(binary ? '\0b' : '\0t').update(data);
  return sum.digest('hex');
}

async function hashOf(socket: WebSocket, count: number): Promise<string> {
  const frames: Sent[] = [];
  return new Promise((resolve) => {
    socket.on('message', (data, binary) => {
      frames.push({ data: data as Buffer, binary });
      if (frames.length === count) resolve(hash(frames));
    });
  });
}
