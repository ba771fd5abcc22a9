import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { Conversation } from './support/record.js';
import { startRawProvider, type ProviderPeer, type RawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const transcribed = 'conversation.item.input_audio_transcription.completed';
const answered = 'response.output_audio_transcript.done';

describe('the record of an odd session', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const settings = { REALTIME_PROVIDER_RENEWALS: 0 };
    running = await stage.startGateway({ providerUrl: provider.url, settings });
  });
  after(() => stage.close());

  const open = async (conversation: Conversation): Promise<Talk> => {
    const { path } = await stage.issue({ conversationId: conversation.id });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(running.origin + path),
    ]);
    return { peer, client };
  };

  /** The user has spoken as item u, and the agent speaks as item a. */
  const beginTurn = async ({ peer, client }: Talk): Promise<void> => {
    const user = { id: 'u', type: 'message', role: 'user', content: [{ type: 'input_audio' }] };
    const agent = { id: 'a', type: 'message', role: 'assistant', content: [] };
    tell(peer, 'input_audio_buffer.committed', { item_id: 'u', previous_item_id: null });
    tell(peer, 'conversation.item.added', { previous_item_id: null, item: user });
    tell(peer, 'conversation.item.added', { previous_item_id: 'u', item: agent });
    tell(peer, 'response.output_audio.delta', { item_id: 'a', delta: 'AAAA' });
    await client.event('response.output_audio.delta');
  };

  const endings: [what: string, end: (talk: Talk) => void][] = [
    ['the provider dies', ({ peer }) => peer.socket.terminate()],
    ['the provider hangs up', ({ peer }) => peer.socket.close(1001, 'maximum duration')],
    ['the client dies', ({ client }) => client.socket.terminate()],
    ['the client leaves', ({ client }) => client.socket.close(1000)],
  ];
  for (const [what, end] of endings)
    it(`marks what it could not hear any more when ${what}`, async () => {
      const conversation = await Conversation.start(stage);
      const talk = await open(conversation);
      await beginTurn(talk);
      end(talk);
      await talk.client.closed;
      expect(await conversation.said(2)).to.deep.equal(['user: ', 'assistant: ']);
      const [user, assistant] = await conversation.messages();
      expect(user).to.include({ item_id: 'u', status: 'failed', interrupted: false });
      expect(assistant).to.include({ item_id: 'a', status: 'failed', interrupted: true });
      const ended = 'select end_reason from realtime_sessions where conversation_id = $1';
      await waitFor(
        async () => (await conversation.rows<{ end_reason: string }>(ended))[0]?.end_reason,
        { what: 'the end of the session' },
      );
    });

  it('holds the last words of a transcript that grows, and announces the message once', async () => {
    const conversation = await Conversation.start(stage);
    const { peer, client } = await open(conversation);
    const failed = 'conversation.item.input_audio_transcription.failed';
    for (const transcript of ['I', 'I would', 'I would go.'])
      tell(peer, transcribed, { item_id: 'u', transcript });
    tell(peer, failed, { item_id: 'v', error: {} });
    tell(peer, transcribed, { item_id: 'v', transcript: 'After all.' });
    await waitFor(() => count(client, 'message.created') === 2, { what: 'both messages' });
    await waitFor(() => count(client, 'message.updated') === 2, { what: 'both changes' });
    const [first, second] = await conversation.messages();
    expect(first).to.include({ content: 'I would go.', status: 'completed' });
    expect(second).to.include({ content: 'After all.', status: 'completed' });
    const told = client.events.filter(({ type }) => type.startsWith('message.'));
    expect(
      told.map(({ type, data }) => [type, (data as { content: string }).content]),
    ).to.deep.equal([
      ['message.created', 'I'],
      ['message.updated', 'I would'],
      ['message.updated', 'I would go.'],
      ['message.created', 'After all.'],
    ]);
    expect(told.map(({ data }) => (data as { id: string }).id)).to.deep.equal([
      ...[first?.id, first?.id, first?.id, second?.id],
    ]);
    await client.leave();
  });

  it('announces what it stores: no NUL, no half characters, and a mebibyte of them', async () => {
    const conversation = await Conversation.start(stage);
    const { peer, client } = await open(conversation);
    const huge = 'long '.repeat(210_000);
    tell(peer, transcribed, { item_id: 'u', transcript: '\0Hi \ud83d there\udc00.' });
    tell(peer, transcribed, { item_id: 'v', transcript: huge });
    await waitFor(() => count(client, 'message.created') === 2, { what: 'both messages' });
    const stored = (await conversation.messages()).map(({ content }) => content);
    expect(stored).to.deep.equal(['Hi \ufffd there\ufffd.', huge]);
    const announced = client.events.filter(({ type }) => type === 'message.created');
    expect(announced.map(({ data }) => (data as { content: string }).content)).to.deep.equal(
      stored,
    );
    await client.leave();
  });

  it('keeps the same item ids of two sessions apart', async () => {
    const conversation = await Conversation.start(stage);
    for (const words of ['First.', 'Second.']) {
      const { peer, client } = await open(conversation);
      tell(peer, transcribed, { item_id: 'item_1', transcript: words });
      tell(peer, answered, { item_id: 'item_2', response_id: 'r', transcript: words });
      const usage = { input_tokens: 3, output_tokens: 4 };
      tell(peer, 'response.done', { response: { id: 'r', status: 'completed', usage } });
      await client.event('message.created');
      await client.event('response.completed');
      await client.leave();
    }
    expect(await conversation.said(4)).to.deep.equal([
      'user: First.',
      'assistant: First.',
      'user: Second.',
      'assistant: Second.',
    ]);
    const used = 'select sum(input_text_tokens)::int as n from usage_records';
    const sums = () => conversation.rows<{ n: number }>(`${used} where conversation_id = $1`);
    await waitFor(async () => (await sums())[0]?.n === 6, { what: 'both usages' });
  });

  it('tells once that its conversation is deleted, counts what is lost, and holds up nobody', async () => {
    const [doomed, other] = [await Conversation.start(stage), await Conversation.start(stage)];
    const [lost, kept] = [await open(doomed), await open(other)];
    await doomed.rows('delete from conversations where id = $1');
    for (let n = 0; n < 5; n += 1) {
      tell(lost.peer, transcribed, { item_id: `u${n}`, transcript: 'Hi.', usage: { seconds: 1 } });
      tell(kept.peer, transcribed, { item_id: `u${n}`, transcript: `Hi ${n}.` });
      await waitFor(() => count(kept.client, 'message.created') === n + 1, { what: 'a message' });
    }
    const counts = (kind: string, metrics: string) =>
      metrics.includes(
        `parley_realtime_record_changes_total{kind="${kind}",outcome="gone",app="test"} 5`,
      );
    await waitFor(
      async () => {
        const metrics = await stage.stores.registry.metrics();
        return counts('message', metrics) && counts('usage', metrics);
      },
      { what: 'all that is lost to be counted' },
    );
    tell(lost.peer, 'rate_limits.updated', { rate_limits: [] });
    await lost.client.event('rate_limits.updated');
    const errors = lost.client.events.filter(({ type }) => type === 'error');
    expect(errors.map(({ error }) => (error as { code: string }).code)).to.deep.equal([
      'MessageNotStored',
    ]);
    expect(count(lost.client, 'message.created')).to.equal(0);
    expect(await other.said(5)).to.deep.equal([0, 1, 2, 3, 4].map((n) => `user: Hi ${n}.`));
    expect(await stage.stores.registry.metrics()).not.to.match(
      /outcome="failed",app="test"} [1-9]/,
    );
    await Promise.all([lost.client.leave(), kept.client.leave()]);
  });
});

type Talk = { readonly peer: ProviderPeer; readonly client: TestClient };

function tell({ socket }: ProviderPeer, type: string, fields: object): void {
  socket.send(JSON.stringify({ type, ...fields }));
}

function count(client: TestClient, type: string): number {
  return client.events.filter((event) => event.type === type).length;
}
