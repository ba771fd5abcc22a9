import { once } from 'node:events';
import { expect } from 'chai';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { startRawProvider, type ProviderPeer, type RawProvider } from './support/raw-provider.js';
import { Conversation } from './support/record.js';
import { Stage, type RunningGateway, type StartOptions } from './support/stage.js';
import { TestClient, type Event } from './support/test-client.js';

describe('a session whose provider fails', () => {
  let stage: Stage;
  let provider: RawProvider;

  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
  });
  after(() => stage.close());

  const open = async (options: StartOptions = {}) => {
    const running = await stage.startGateway({ providerUrl: provider.url, ...options });
    const conversation = await Conversation.start(stage);
    const { path } = await stage.issue({ conversationId: conversation.id });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(running.origin + path),
    ]);
    return { client, peer, running, conversation };
  };
  const tell = ({ socket }: ProviderPeer, type: string, fields: object = {}) =>
    socket.send(JSON.stringify({ type, ...fields }));
  /** What a provider hears from now on. */
  const heardBy = ({ socket }: ProviderPeer): Event[] => {
    const events: Event[] = [];
    socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as Event));
    return events;
  };
  const renewedAs = async (client: TestClient, times = 1) => {
    await waitFor(() => client.events.filter(isRenewed).length >= times, { what: 'a renewal' });
    return client.events.findLast(isRenewed)!['data'];
  };
  const isRenewed = ({ type }: Event) => type === 'session.renewed';

  const failures: [what: string, reason: string, fail: (peer: ProviderPeer) => void][] = [
    ['is cut off', 'closed', ({ socket }) => socket.terminate()],
    ['closes', 'closed', ({ socket }) => socket.close(1001, 'Maximum duration.')],
    ['says that it is over', 'expired', (peer) => tell(peer, 'error', expired)],
    ['no longer answers', 'silent', ({ socket }) => socket.pause()],
  ];
  for (const [what, reason, fail] of failures)
    it(`continues with the next one when it ${what}`, async () => {
      const { client, peer } = await open({
        limits: { pingMs: 50, silenceMs: 5000, providerSilenceMs: 300 },
      });
      const next = provider.nextSession();
      fail(peer);
      const second = await next;
      expect(await renewedAs(client)).to.deep.equal({ reason, connectionId: null });
      const heard = once(second.socket, 'message') as Promise<[Buffer]>;
      client.send({ type: 'input_audio_buffer.clear' });
      expect(JSON.parse((await heard)[0].toString())).to.include({
        type: 'input_audio_buffer.clear',
      });
      tell(second, 'x');
      await client.event('x');
      for (const type of ['session.created', 'session.updated'])
        expect(client.events.filter((event) => event.type === type)).to.have.length(1);
      expect(client.events.filter(({ type }) => type === 'error')).to.deep.equal([]);
      await client.leave();
    });

  it('tells the next one what was said, and the client nothing of that', async () => {
    const { client, peer, conversation } = await open();
    const user = { id: 'u', type: 'message', role: 'user', content: [{ type: 'input_audio' }] };
    const agent = { id: 'a', type: 'message', role: 'assistant', content: [] };
    tell(peer, 'conversation.item.added', { previous_item_id: null, item: user });
    tell(peer, transcribed, { item_id: 'u', content_index: 0, transcript: 'Hello.' });
    tell(peer, 'response.created', { response: { id: 'r' } });
    tell(peer, 'conversation.item.added', { previous_item_id: 'u', item: agent });
    tell(peer, answered, { item_id: 'a', response_id: 'r', content_index: 0, transcript: 'Hi.' });
    tell(peer, 'response.done', { response: { id: 'r', status: 'completed', output: [] } });
    tell(peer, 'response.created', { response: { id: 's' } });
    await client.where(({ response }) => (response as { id?: string } | undefined)?.id === 's');
    const next = provider.nextSession();
    peer.socket.terminate();
    const second = await next;
    const heard = heardBy(second);
    await waitFor(() => heard.some(({ type }) => type === 'response.create'), { what: 'a create' });
    const items = heard.flatMap(({ item }) => (item ? [item] : []));
    expect(items).to.deep.equal([
      {
        ...{ id: 'u', type: 'message', role: 'user' },
        content: [{ type: 'input_text', text: 'Hello.' }],
      },
      {
        ...{ id: 'a', type: 'message', role: 'assistant' },
        content: [{ type: 'output_text', text: 'Hi.' }],
      },
    ]);
    for (const item of items)
      for (const type of ['conversation.item.added', 'conversation.item.done'])
        tell(second, type, { item });
    tell(second, 'x');
    await client.event('x');
    expect(client.events.filter(({ type }) => type === 'conversation.item.added')).to.have.length(
      2,
    );
    expect(client.events.filter(({ type }) => type === 'conversation.item.done')).to.have.length(0);
    const ended = client.events.filter(({ type }) => type === 'response.done');
    expect(ended.at(-1)!['response']).to.include({ id: 's', status: 'cancelled' });
    expect(await conversation.said(2)).to.deep.equal(['user: Hello.', 'assistant: Hi.']);
    await client.leave();
  });

  it('loses nothing that the client sends meanwhile', async () => {
    const slow = await startRawProvider({ manual: true });
    stage.onClose(() => slow.close());
    const greet = async ({ socket }: ProviderPeer) => {
      socket.send('{"type":"session.created","session":{}}');
      await once(socket, 'message');
      socket.send('{"type":"session.updated","session":{}}');
    };
    const { origin } = await stage.startGateway({ providerUrl: slow.url });
    const [first, client] = await Promise.all([
      slow.nextSession().then(async (peer) => {
        await greet(peer);
        return peer;
      }),
      TestClient.ready(origin + (await stage.issue()).path),
    ]);
    const next = slow.nextSession();
    first.socket.terminate();
    const second = await next;
    for (let n = 0; n < 1000; n += 1) client.send({ type: 'input_audio_buffer.append', n });
    const heard = heardBy(second);
    await greet(second);
    await waitFor(() => heard.length === 1001, { what: 'all frames' });
    const numbers = heard.slice(1).map(({ n }) => n);
    expect(numbers).to.deep.equal(Array.from({ length: 1000 }, (_, n) => n));
    await client.leave();
  });

  it('ends when it fails again and again', async () => {
    const { client, peer, running } = await open({ settings: { REALTIME_PROVIDER_RENEWALS: 2 } });
    const cut = (next: ProviderPeer) => next.socket.once('message', () => next.socket.terminate());
    provider.events.on('session', cut);
    peer.socket.terminate();
    for (const times of [1, 2]) {
      await renewedAs(client, times);
      client.send({ type: 'input_audio_buffer.clear' });
    }
    expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
    provider.events.off('session', cut);
    expect(await running.metrics()).to.include(
      'parley_realtime_provider_renewals_total{reason="closed",app="test"} 2',
    );
  });
});

const expired = { error: { type: 'invalid_request_error', code: 'session_expired' } };
const transcribed = 'conversation.item.input_audio_transcription.completed';
const answered = 'response.output_audio_transcript.done';

describe('an answer whose provider fails while it is given', () => {
  let stage: Stage;
  let simulator: Simulator;
  let running: RunningGateway;

  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator({ settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 } });
    stage.onClose(() => simulator.close());
    running = await stage.startGateway({
      providerUrl: simulator.url,
      providerKey: 'sk-simulated',
      limits: { pingMs: 50, silenceMs: 5000, providerSilenceMs: 300 },
    });
  });
  after(() => stage.close());

  const failures: [directive: string, reason: string][] = [
    ['!drop a', 'closed'],
    ['!close 1011 b', 'closed'],
    ['!expire c', 'expired'],
    ['!hang d', 'silent'],
    ['!away 200 e', 'closed'],
  ];
  for (const [directive, reason] of failures)
    it(`is given by the next one: ${directive}`, async () => {
      const conversation = await Conversation.start(stage);
      const { path } = await stage.issue({ conversationId: conversation.id });
      const client = await TestClient.ready(running.origin + path);
      const text = `${directive} !say Here is the answer.`;
      client.send({
        type: 'conversation.item.create',
        item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
      });
      client.send({ type: 'response.create' });
      await client.where(isDone('completed'), 'the answer');
      const renewals = client.events.filter(({ type }) => type === 'session.renewed');
      expect(renewals.map(({ data }) => data)).to.deep.equal([{ reason, connectionId: null }]);
      expect(client.events.filter(isDone('cancelled'))).to.have.length(1);
      const last = client.events.slice(client.events.indexOf(renewals[0]!));
      const said = last.filter(({ type }) => type === answered).map((event) => event['transcript']);
      expect(said).to.deep.equal(['Here is the answer.']);
      const acknowledged = client.events.filter(({ type }) => type === 'conversation.item.added');
      const ids = acknowledged.map(({ item }) => (item as { id: string }).id);
      expect(new Set(ids).size).to.equal(ids.length);
      expect(await conversation.said(2)).to.deep.equal([
        `user: ${text}`,
        'assistant: Here is the answer.',
      ]);
      await client.leave();
    });
});

function isDone(status: string): (event: Event) => boolean {
  return ({ type, response }) =>
    type === 'response.done' && (response as { status: string }).status === status;
}
