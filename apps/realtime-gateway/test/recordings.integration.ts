import { expect } from 'chai';
import {
  needs,
  recordings,
  startReplayProvider,
  waitFor,
  type RecordedEvent,
} from '@parley/testkit';
import { Conversation } from './support/record.js';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const recorded = (await recordings()) ?? new Map<string, RecordedEvent[]>();

describe('recorded provider traffic', () => {
  needs('recordings');
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
      await conversation.said(spoken.length);
      await client.leave();
      await provider.stop();
      // The end is written last: nothing more can come.
      await waitFor(async () => (await ends(conversation))[0]?.end_reason, { what: 'the end' });
      expect(await conversation.said(0)).to.deep.equal(spoken);
      expect(await tokensOf(conversation)).to.deep.equal(tokensIn(recording));
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

/**
 * The messages of a recording, read from what the provider says of its conversation in the end: the items as they were added, with the words
 * of the finished responses, or with those that the client itself put there for the agent.
 */
function messagesIn(recording: readonly RecordedEvent[]): string[] {
  const events = recording.filter(({ from }) => from === 'provider').map(({ event }) => event);
  const answers = responsesIn(recording).flatMap(({ output }) => output);
  return events.flatMap((event) => {
    if (event.type !== 'conversation.item.added') return [];
    const { id, type, role, content } = event['item'] as RecordedItem;
    if (type !== 'message') return [];
    const answer = answers.filter((item) => item.id === id);
    if (role === 'assistant' && content.length === 0) return answer.map(line);
    const spoken = events.find(({ item_id, transcript }) => item_id === id && transcript);
    return [spoken ? `user: ${String(spoken['transcript'])}` : line({ id, type, role, content })];
  });
}

function line({ role, content }: RecordedItem): string {
  return `${role}: ${content.map(({ text, transcript }) => text ?? transcript).join()}`;
}

function responsesIn(recording: readonly RecordedEvent[]): RecordedResponse[] {
  const done = recording.filter(({ event }) => event.type === 'response.done');
  return done.map(({ event }) => event['response'] as RecordedResponse);
}

type RecordedItem = {
  id: string;
  type: string;
  role: string;
  content: { text?: string; transcript?: string }[];
};
type RecordedResponse = {
  output: RecordedItem[];
  usage: { input_tokens: number; output_tokens: number };
};
type Tokens = { input: number; output: number };

function tokensIn(recording: readonly RecordedEvent[]): Tokens {
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const usages = responsesIn(recording).map(({ usage }) => usage);
  return {
    input: sum(usages.map(({ input_tokens }) => input_tokens)),
    output: sum(usages.map(({ output_tokens }) => output_tokens)),
  };
}

async function tokensOf(conversation: Conversation): Promise<Tokens | undefined> {
  const [sums] = await conversation.rows<Tokens>(
    `select sum(input_text_tokens + input_audio_tokens)::int as input,
       sum(output_text_tokens + output_audio_tokens)::int as output
     from usage_records where conversation_id = $1 and source = 'response'`,
  );
  return sums;
}

function ends(conversation: Conversation): Promise<{ end_reason: string | null }[]> {
  return conversation.rows('select end_reason from realtime_sessions where conversation_id = $1');
}
