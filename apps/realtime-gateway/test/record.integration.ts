import { expect } from 'chai';
import { spokenAudio, startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { Conversation } from './support/record.js';
import { defaultSettings, Stage, type RunningGateway } from './support/stage.js';
import { TestClient, type Event } from './support/test-client.js';

describe('the record of a session', () => {
  let stage: Stage;
  let simulator: Simulator;
  let running: RunningGateway;

  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator({ settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 } });
    stage.onClose(() => simulator.close());
    running = await stage.startGateway({ providerUrl: simulator.url, providerKey: 'sk-test' });
  });
  after(() => stage.close());

  const open = async (conversation: Conversation): Promise<TestClient> => {
    const { path } = await stage.issue({ conversationId: conversation.id });
    return TestClient.ready(running.origin + path);
  };

  it('holds a text turn, and tells the client of each message with its fields', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    type(client, '!say Good morning.');
    await client.event('response.completed');
    const [user, assistant] = await conversation.messages();
    const { agentId: chatbotId } = stage.stores;
    expect(user).to.include({ role: 'user', content: '!say Good morning.', status: 'completed' });
    expect(assistant).to.include({ role: 'assistant', content: 'Good morning.' });
    expect(custom(client)).to.deep.equal([
      {
        type: 'message.created',
        data: {
          chatbotId,
          id: user!.id,
          role: 'user',
          content: '!say Good morning.',
          createdAt: user!.created_at.toISOString(),
        },
      },
      { type: 'response.id', data: { chatbotId, id: assistant!.id } },
      { type: 'response.completed', data: { chatbotId } },
    ]);
    const order = client.events.map(({ type: name }) => name);
    expect(order.indexOf('response.output_audio_transcript.done')).to.be.lessThan(
      order.indexOf('response.id'),
    );
    await waitFor(async () => (await conversation.messages())[0]?.item_id, { what: 'its id' });
    await client.leave();
  });

  it('holds a voice turn whose transcript comes after the answer, in spoken order', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    hum(client, '!say Late is fine. !late 3000');
    await client.event('message.created');
    await client.event('response.completed');
    const order = custom(client).map(({ type: name }) => name);
    expect(order).to.deep.equal(['response.id', 'response.completed', 'message.created']);
    const [user, assistant] = await conversation.messages();
    expect(user).to.include({ role: 'user', content: '!say Late is fine. !late 3000' });
    expect(assistant).to.include({ role: 'assistant', content: 'Late is fine.' });
    expect(user!.created_at.getTime()).to.be.at.most(assistant!.created_at.getTime());
    await client.leave();
  });

  it('settles a turn whose transcription fails, without telling of it', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    hum(client, '!say I did not catch that. !untranscribed bad_audio');
    await client.event('conversation.item.input_audio_transcription.failed');
    await client.event('response.completed');
    expect(await conversation.said(2)).to.deep.equal([
      'user: ',
      'assistant: I did not catch that.',
    ]);
    expect((await conversation.messages())[0]).to.include({ status: 'failed' });
    expect(client.events.some(({ type: name }) => name === 'message.created')).to.equal(false);
    await client.leave();
  });

  it('marks an answer that was cancelled, and one that was truncated after it was stored', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    type(client, `!say ${'Hello there, dear friend. '.repeat(60)} !delay 60000`);
    await client.event('response.output_audio.delta');
    client.send({ type: 'response.cancel' });
    const cancelled = await waitFor(async () => (await conversation.messages())[1], {
      what: 'the answer',
    });
    await waitFor(async () => (await conversation.messages())[1]?.interrupted, { what: 'a mark' });
    expect(cancelled.audio_end_ms).to.equal(null);
    client.send({
      type: 'conversation.item.truncate',
      item_id: cancelled.item_id,
      content_index: 0,
      audio_end_ms: 50,
    });
    await waitFor(async () => (await conversation.messages())[1]?.audio_end_ms === 50, {
      what: 'how much was heard',
    });
    await client.leave();
  });

  it('marks an answer that the user spoke into, with how much of it was heard', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    hum(client, '!say Hello there, dear friend. !delay 60000');
    const { item_id } = await client.event('response.output_audio.delta');
    const before = client.events.length;
    send(client, spokenAudio('!say All right.'));
    const since = (name: string) => {
      const events = () => client.events.slice(before).filter((event) => event.type === name);
      return waitFor(() => events()[0], { what: name });
    };
    await since('input_audio_buffer.speech_started');
    const { response } = await since('response.done');
    expect(response).to.include({ status: 'cancelled' });
    expect(response).to.have.nested.property('status_details.reason', 'turn_detected');
    const heard = { item_id, content_index: 0, audio_end_ms: 40 };
    client.send({ type: 'conversation.item.truncate', ...heard });
    expect(await since('conversation.item.truncated')).to.include(heard);
    const completed = () => custom(client).filter(({ type: name }) => name !== 'response.id');
    await waitFor(() => completed().length === 4, { what: 'all four messages' });
    const messages = await waitFor(
      async () => {
        const rows = await conversation.messages();
        return rows[1]?.audio_end_ms === null ? undefined : rows;
      },
      { what: 'how much was heard' },
    );
    expect(messages.map(({ role, content }) => `${role}: ${content}`)).to.deep.equal([
      'user: !say Hello there, dear friend. !delay 60000',
      `assistant: ${messages[1]!.content}`,
      'user: !say All right.',
      'assistant: All right.',
    ]);
    expect(messages[1]).to.include({ item_id, interrupted: true, audio_end_ms: 40 });
    expect('Hello there, dear friend.').to.satisfy((text: string) =>
      text.startsWith(messages[1]!.content),
    );
    expect(messages.filter(({ interrupted }) => interrupted)).to.have.length(1);
    await client.leave();
  });

  it('stores what other vendors’ events tell', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    const alias = { type: 'response.content.done', item_id: 'other', text: 'From elsewhere.' };
    type(client, `!raw ${JSON.stringify(alias)}`);
    await client.event('response.completed');
    expect(await conversation.said(2)).to.include('assistant: From elsewhere.');
    await client.leave();
  });

  it('counts each usage once, and holds how the session ended', async () => {
    const conversation = await Conversation.start(stage);
    const client = await open(conversation);
    hum(client, '!say Counted.');
    await client.event('message.created');
    await client.event('response.done');
    await client.leave();
    const sessions = 'select * from realtime_sessions where conversation_id = $1';
    const session = await waitFor(
      async () => {
        const [row] = await conversation.rows<Record<string, unknown>>(sessions);
        return row?.['ended_at'] ? row : undefined;
      },
      { what: 'the end' },
    );
    expect(session).to.include({ end_reason: 'Normal', close_code: 1000 });
    expect(Number(session['bytes_from_client'])).to.be.greaterThan(10_000);
    expect(Number(session['bytes_from_provider'])).to.be.greaterThan(1000);
    const usage = await conversation.rows<{ source: string; model: string }>(
      'select source, model from usage_records where conversation_id = $1 order by source',
    );
    expect(usage).to.deep.equal([
      { source: 'response', model: 'gpt-realtime' },
      { source: 'transcription', model: 'gpt-4o-mini-transcribe' },
    ]);
    const [user, assistant] = await conversation.messages();
    expect(assistant?.usage?.['outputAudioTokens']).to.be.greaterThan(0);
    expect(user?.usage).to.have.keys(Object.keys(assistant!.usage!));
    const metrics = await stage.stores.registry.metrics();
    for (const { model } of usage)
      expect(metrics).to.match(
        new RegExp(`parley_realtime_tokens_total{model="${model}",kind="input_audio",.*} [1-9]`),
      );
  });

  it('tells the provider of tool calls too, where they happened', async () => {
    const conversation = await Conversation.start(stage);
    const first = await open(conversation);
    type(first, '!say It is noon.');
    await first.event('response.completed');
    await first.leave();
    await conversation.rows(
      `insert into tool_calls (organization_id, conversation_id, agent_id, call_id, name, arguments, status, result, created_at)
       select organization_id, id, agent_id, 'call_1', 'current_time', '{"zone":"UTC"}', 1, '{"time":"12:00"}',
         (select max(created_at) - interval '1 microsecond' from messages where conversation_id = $1)
       from conversations where id = $1`,
    );
    const second = await open(conversation);
    const echoes = () =>
      second.events.filter(({ type: name }) => name === 'conversation.item.added');
    await waitFor(() => echoes().length === 4, { what: 'the echo of the past' });
    const items = echoes().map(({ item }) => item as Record<string, unknown>);
    expect(items.map((item) => item['type'])).to.deep.equal([
      'message',
      'function_call',
      'function_call_output',
      'message',
    ]);
    expect(items[1]).to.include({ call_id: 'call_1', arguments: '{"zone":"UTC"}' });
    expect(items[2]).to.include({ call_id: 'call_1', output: '{"time":"12:00"}' });
    await second.leave();
  });

  it('is told to the provider of the next session: 50 sessions in turn keep one history', async () => {
    const conversation = await Conversation.start(stage);
    const expected: string[] = [];
    for (let n = 0; n <= 50; n += 1) {
      const client = await open(conversation);
      const past = expected.slice(-defaultSettings.REALTIME_HISTORY_MESSAGES);
      await waitFor(() => added(client).length >= past.length, { what: 'the echo of the past' });
      expect(added(client)).to.deep.equal(past);
      type(client, `!say Answer ${n}.`);
      expected.push(`user: !say Answer ${n}.`, `assistant: Answer ${n}.`);
      await client.event('response.completed');
      expect(await conversation.said(expected.length)).to.deep.equal(expected);
      await client.leave();
    }
    expect(await conversation.said(102)).to.deep.equal(expected);
  });
});

function type(client: TestClient, text: string): void {
  const content = [{ type: 'input_text', text }];
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content },
  });
  client.send({ type: 'response.create' });
}

function hum(client: TestClient, text: string): void {
  send(client, spokenAudio(text, { milliseconds: 400 }));
}

function send(client: TestClient, sound: Buffer): void {
  for (let at = 0; at < sound.length; at += 24_000) {
    const audio = sound.subarray(at, at + 24_000).toString('base64');
    client.send({ type: 'input_audio_buffer.append', audio });
  }
}

/** The items that the provider says it has, as 'role: text'. */
function added(client: TestClient): string[] {
  const echoes = client.events.filter(({ type: name }) => name === 'conversation.item.added');
  return echoes.map(({ item }) => {
    const { role, content } = item as { role: string; content: { text: string }[] };
    return `${role}: ${content[0]!.text}`;
  });
}

const customTypes = ['message.created', 'response.id', 'response.completed'];

function custom(client: TestClient): Event[] {
  return client.events.filter(({ type: name }) => customTypes.includes(name));
}
