import { expect } from 'chai';
import { startSimulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient, type Event } from './support/test-client.js';

type Echo = {
  output_modalities: string[];
  instructions: string;
  tools: { name: string }[];
  audio: { input: { turn_detection: unknown }; output: { voice: string } };
};

describe('how a session finds turns and answers', () => {
  let stage: Stage;
  let running: RunningGateway;

  before(async () => {
    stage = await Stage.open();
    running = await gatewayOn(stage);
  });
  after(() => stage.close());

  const enter = async (ticket: object) =>
    TestClient.ready(running.origin + (await stage.issue(ticket)).path);

  it('is as its creator asked for', async () => {
    const turnDetection = { type: 'server_vad', silenceDurationMs: 321, createResponse: false };
    const client = await enter({ turnDetection, outputModalities: ['text'] });
    const { session } = (await client.event('session.updated')) as unknown as { session: Echo };
    expect(session.output_modalities).to.deep.equal(['text']);
    expect(session.audio.input.turn_detection).to.include({
      type: 'server_vad',
      silence_duration_ms: 321,
      create_response: false,
    });
    say(client, '!say Written down.');
    expect(await client.event('response.output_text.done')).to.include({ text: 'Written down.' });
    expect(client.events.some(({ type }) => type === 'response.output_audio.delta')).to.equal(
      false,
    );
    await client.leave();
  });

  it('can be push-to-talk', async () => {
    const client = await enter({ turnDetection: { type: 'none' } });
    const { session } = (await client.event('session.updated')) as unknown as { session: Echo };
    expect(session.audio.input.turn_detection).to.equal(null);
    const audio = Buffer.alloc(24_000).toString('base64');
    client.send({ type: 'input_audio_buffer.append', audio });
    client.send({ type: 'input_audio_buffer.commit' });
    client.send({ type: 'response.create' });
    await client.event('input_audio_buffer.committed');
    await client.event('response.output_audio_transcript.done');
    expect(client.events.some(({ type }) => type === 'error')).to.equal(false);
    await client.leave();
  });
});

describe('a client that sends session.update when it opens', () => {
  let stage: Stage;
  let running: RunningGateway;
  let client: TestClient;

  before(async () => {
    stage = await Stage.open([{ kind: 'builtin', name: 'current_time' }]);
    running = await gatewayOn(stage);
  });
  after(() => stage.close());

  beforeEach(async () => {
    const { path } = await stage.issue({
      clientTools: [{ name: 'show_map', description: 'Shows a map.' }],
    });
    client = await TestClient.ready(running.origin + path);
  });
  afterEach(() => client.leave());

  const dance = { type: 'function', name: 'dance', description: 'Dances.' };

  /** The session that the provider tells in answer to an update. */
  async function update(session: object): Promise<Echo> {
    const before = client.events.length;
    const isAnswer = (event: Event) =>
      event.type === 'session.updated' && client.events.indexOf(event) >= before;
    client.send({ type: 'session.update', session: { type: 'realtime', ...session } });
    return (await client.where(isAnswer, 'the answer'))['session'] as Echo;
  }

  const errors = () => client.events.filter(({ type }) => type === 'error');

  it('gets what the agent leaves open, and a notice of the rest', async () => {
    const echo = await update({
      instructions: 'Sing.',
      model: 'gpt-realtime-2',
      tools: [dance, { ...dance, name: 'current_time' }],
      tool_choice: 'required',
      audio: { input: { turn_detection: null }, output: { voice: 'cedar' } },
    });
    expect(echo.instructions).to.equal('Be kind.');
    expect(echo.tools.map(({ name }) => name)).to.deep.equal(['current_time', 'show_map', 'dance']);
    expect(echo.audio.input.turn_detection).to.equal(null);
    expect(echo.audio.output.voice).to.equal('cedar');
    expect(await client.event('session.notice')).to.deep.equal({
      type: 'session.notice',
      data: {
        code: 'FieldsNotTaken',
        fields: ['instructions', 'model', 'tools[1]', 'tool_choice'],
      },
    });
    expect(errors()).to.be.empty;
  });

  it('is answered even if nothing of it was taken', async () => {
    expect((await update({ prompt: { id: 'p' } })).instructions).to.equal('Be kind.');
  });

  it('answers calls of the tools that it asked for', async () => {
    await update({ tools: [dance] });
    say(client, '!call dance {}');
    const { call_id } = await client.event('response.function_call_arguments.done');
    const item = { type: 'function_call_output', call_id, output: 'danced' };
    await client.event('response.done');
    client.send({ type: 'conversation.item.create', item });
    client.send({ type: 'response.create', response: { instructions: 'Sing.' } });
    await client.event('response.output_audio_transcript.done');
    const { data } = await client.event('session.notice');
    expect(data).to.deep.equal({ code: 'FieldsNotTaken', fields: ['instructions'] });
    expect(errors()).to.be.empty;
  });

  it('may send it a thousand times, while the agent speaks', async () => {
    say(client, '!say A long story about the sea.');
    const session = { turn_detection: { type: 'server_vad' }, instructions: 'Sing.' };
    for (let n = 0; n < 1000; n += 1) client.send({ type: 'session.update', session });
    await client.event('response.done');
    const told = (name: string) => client.events.filter(({ type }) => type === name).length;
    await waitFor(() => told('session.updated') === 1001, { what: 'all answers' });
    expect(told('session.notice')).to.equal(1000);
    expect(errors()).to.be.empty;
  });
});

async function gatewayOn(stage: Stage): Promise<RunningGateway> {
  const settings = { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 };
  const simulator = await startSimulator({ settings });
  stage.onClose(() => simulator.close());
  return stage.startGateway({ providerUrl: simulator.url, providerKey: 'sk-test' });
}

function say(client: TestClient, text: string): void {
  const content = [{ type: 'input_text', text }];
  const item = { type: 'message', role: 'user', content };
  client.send({ type: 'conversation.item.create', item });
  client.send({ type: 'response.create' });
}
