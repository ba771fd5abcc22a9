import { expect } from 'chai';
import { spokenAudio, startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { Conversation } from './support/record.js';
import { Stage, type RunningGateway } from './support/stage.js';
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
    speak(client, '!say Late is fine. !late 300');
    await client.event('message.created');
    await client.event('response.completed');
    const order = custom(client).map(({ type: name }) => name);
    expect(order).to.deep.equal(['response.id', 'response.completed', 'message.created']);
    const [user, assistant] = await conversation.messages();
    expect(user).to.include({ role: 'user', content: '!say Late is fine. !late 300' });
    expect(assistant).to.include({ role: 'assistant', content: 'Late is fine.' });
    expect(user!.created_at.getTime()).to.be.at.most(assistant!.created_at.getTime());
    await client.leave();
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

function speak(client: TestClient, text: string): void {
  const sound = spokenAudio(text, { milliseconds: 400 });
  for (let at = 0; at < sound.length; at += 24_000) {
    const audio = sound.subarray(at, at + 24_000).toString('base64');
    client.send({ type: 'input_audio_buffer.append', audio });
  }
}

const customTypes = ['message.created', 'response.id', 'response.completed'];

function custom(client: TestClient): Event[] {
  return client.events.filter(({ type: name }) => customTypes.includes(name));
}
