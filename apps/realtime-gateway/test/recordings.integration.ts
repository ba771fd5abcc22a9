import { expect } from 'chai';
import { recordings, startReplayProvider, waitFor, type RecordedEvent } from '@parley/testkit';
import { Conversation } from './support/record.js';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const recorded = await recordings();

describe('recorded provider traffic', () => {
  if (!recorded) {
    it('passes the gateway unchanged', function () {
      console.warn('SKIPPED: PROVIDER_DATA names no folder with provider-recordings.');
      this.skip();
    });
    return;
  }
  let stage: Stage;
  before(async () => {
    stage = await Stage.open();
  });
  after(() => stage.close());

  for (const [name, recording] of recorded)
    it(`passes the gateway unchanged and leaves its messages in the record: ${name}`, async () => {
      const provider = await startReplayProvider(recording);
      const conversation = await Conversation.start(stage);
      const { origin } = await stage.startGateway({ providerUrl: provider.url });
      const { path } = await stage.issue({
        conversationId: conversation.id,
        clientTools: toolsOf(recording),
      });
      const client = await TestClient.ready(origin + path);
      const said = await speak(client, recording);
      await provider.played;
      await waitFor(() => raw(client).length >= provider.sent.length, { what: 'all events' });
      expect(raw(client)).to.deep.equal(provider.sent);
      expect(provider.received.slice(1)).to.deep.equal(said);
      const spoken = messagesIn(recording);
      expect(await conversation.said(spoken.length)).to.deep.equal(spoken);
      await client.leave();
      await provider.stop();
    });
});

/** Says what the recorded client said, each after everything that it had heard by then. */
async function speak(client: TestClient, recording: readonly RecordedEvent[]): Promise<string[]> {
  const said: string[] = [];
  let heard = 0;
  for (const { from, event } of recording) {
    if (from === 'provider') heard += 1;
    else if (event.type !== 'session.update') {
      await waitFor(() => raw(client).length >= heard, { what: `${heard} events` });
      said.push(JSON.stringify(event));
      client.send(event);
    }
  }
  return said;
}

function toolsOf(recording: readonly RecordedEvent[]): { name: string; description: string }[] {
  const update = recording.find(({ event }) => event.type === 'session.update');
  const session = update?.event['session'] as { tools?: { name: string }[] } | undefined;
  return (session?.tools ?? []).map(({ name }) => ({ name, description: name }));
}

/** What came from the provider, without what the service adds. */
function raw(client: TestClient): string[] {
  const texts = client.frames.map(({ data }) => data.toString());
  return texts.filter(
    (text) => !/^{"type":"(message\.created|response\.(id|completed))"/.test(text),
  );
}

/** The messages of a recording in the order of its items; what the client says for the agent is none. */
function messagesIn(recording: readonly RecordedEvent[]): string[] {
  const texts = new Map<unknown, string>();
  for (const { event } of recording) {
    const { item_id, transcript, text } = event;
    if (/transcription\.completed$|(transcript|text)\.done$/.test(event.type))
      texts.set(item_id, (transcript ?? text) as string);
  }
  return recording.flatMap(({ from, event }) => {
    if (from === 'client' || event.type !== 'conversation.item.added') return [];
    const { id, role, content } = event['item'] as RecordedItem;
    const said = texts.get(id) ?? (role === 'user' ? content?.[0]?.text : undefined);
    return said === undefined ? [] : [`${role}: ${said}`];
  });
}

type RecordedItem = { id: string; role: string; content?: { text?: string }[] };
