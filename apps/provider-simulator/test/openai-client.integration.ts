// The provider's own client against the simulator: what we did not write is the judge.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { startSimulator, type Simulator } from '#src/simulator.js';

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'Tells the weather of a city.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];

describe('the official client', () => {
  let simulator: Simulator;
  let client: OpenAI;
  before(async () => {
    simulator = await startSimulator({ settings: { thinkMs: 0, tokenMs: 0, audioSpeed: 0 } });
    client = new OpenAI({ apiKey: 'k', baseURL: simulator.url, maxRetries: 0 });
  });
  after(() => simulator.close());

  const ask = (content: string, more: object = {}) =>
    client.chat.completions.create({
      model: 'gpt-4.1-mini',
      messages: [{ role: 'user', content }],
      ...more,
    });

  it('lists models', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).to.include('gpt-realtime');
  });

  it('gets a text answer with usage', async () => {
    const answer = await ask('hello');
    expect(answer.choices[0]).to.deep.include({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello! How can I help you?', refusal: null },
    });
    expect(answer.usage?.total_tokens).to.equal(
      (answer.usage?.prompt_tokens ?? 0) + (answer.usage?.completion_tokens ?? 0),
    );
  });

  it('gets a tool call, and an answer to its output', async () => {
    const question = { role: 'user', content: 'What is the weather in London?' } as const;
    const first = await ask(question.content, { tools });
    const message = first.choices[0]!.message;
    expect(first.choices[0]?.finish_reason).to.equal('tool_calls');
    const call = message.tool_calls![0]!;
    expect(call.type === 'function' && JSON.parse(call.function.arguments)).to.deep.equal({
      city: 'London',
    });
    const second = await client.chat.completions.create({
      model: 'gpt-4.1-mini',
      tools,
      messages: [question, message, { role: 'tool', tool_call_id: call.id, content: 'foggy' }],
    });
    expect(second.choices[0]?.message.content).to.equal(
      'Here is what get weather returned: foggy.',
    );
  });

  it('streams text, tool calls and usage', async () => {
    const stream = client.chat.completions.stream({
      model: 'gpt-4.1-mini',
      messages: [{ role: 'user', content: '!say one two three !call a {"x":1} !call b {}' }],
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    const { message, finish_reason } = final.choices[0]!;
    expect(message.content).to.equal('one two three');
    expect(message.tool_calls?.map((call) => call.function.name)).to.deep.equal(['a', 'b']);
    expect(finish_reason).to.equal('tool_calls');
    expect(final.usage?.completion_tokens).to.be.greaterThan(0);
  });

  const failures: [string, string, object][] = [
    ['a failed answer', '!fail server_error', { status: 500, code: 'server_error' }],
    ['a spent quota', '!fail insufficient_quota', { status: 429, code: 'insufficient_quota' }],
  ];
  for (const [title, content, expected] of failures)
    it(`sees ${title} as an error`, async () => {
      const error: unknown = await ask(content).then(undefined, (reason: unknown) => reason);
      expect(error).to.be.instanceOf(OpenAI.APIError).and.include(expected);
    });

  it('sees a dropped connection as a connection error', async () => {
    const error: unknown = await ask('!drop').then(undefined, (reason: unknown) => reason);
    expect(error).to.be.instanceOf(OpenAI.APIConnectionError);
  });

  it('sees an answer that was cut off, and one that never comes', async () => {
    expect((await ask('!say one !incomplete')).choices[0]?.finish_reason).to.equal('length');
    expect((await ask('!say one !incomplete content_filter')).choices[0]?.finish_reason).to.equal(
      'content_filter',
    );
    const error: unknown = await client.chat.completions
      .create({ model: 'm', messages: [{ role: 'user', content: '!hang' }] }, { timeout: 50 })
      .then(undefined, (reason: unknown) => reason);
    expect(error).to.be.instanceOf(OpenAI.APIConnectionTimeoutError);
  });

  it('sees an error in the middle of a stream', async () => {
    const messages = [{ role: 'user', content: '!say one two !fail server_error' } as const];
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    let error: unknown;
    try {
      for await (const chunk of stream) expect(chunk).to.have.property('choices');
    } catch (reason) {
      error = reason;
    }
    expect(error).to.be.instanceOf(OpenAI.APIError);
  });

  it('gets what a directive sends raw, and a page of all directives', async () => {
    const answer: unknown = await ask('!raw {"id":"mine","choices":[]}');
    expect(answer).to.include({ id: 'mine' });
    const page: unknown = await (await fetch(new URL('/', simulator.url))).json();
    expect(page).to.have.property('directives').that.has.property('say');
    const broken = await fetch(`${simulator.url}/chat/completions`, {
      method: 'POST',
      headers: { 'api-key': 'k', 'content-type': 'application/json' },
      body: '{',
    });
    expect(broken.status).to.equal(400);
  });

  it('sees refused keys, models and requests', async () => {
    const refusals: [Promise<unknown>, number][] = [
      [client.withOptions({ apiKey: 'sim-invalid-key' }).models.list(), 401],
      [ask('hello', { model: 'sim-refuse-403' }), 403],
      [ask('hello', { messages: 'hello' }), 400],
      [ask('hello', { messages: undefined }), 400],
      [client.post('/chat/completions', { body: [] }), 400],
      [client.post('/nonsense', { body: {} }), 404],
    ];
    for (const [request, status] of refusals) {
      const error: unknown = await request.then(undefined, (reason: unknown) => reason);
      expect(error).to.include({ status });
    }
  });

  it('holds a realtime session', async () => {
    const options = {
      // This client insists on wss:; the connection itself is plain.
      createConnection: () => connect(simulator.port, '127.0.0.1'),
    };
    const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: options }, client);
    const errors: unknown[] = [];
    realtime.on('error', (error) => errors.push(error));
    await once(realtime.socket, 'open');
    realtime.send({
      type: 'session.update',
      session: { type: 'realtime', output_modalities: ['text'] },
    });
    realtime.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    });
    realtime.send({ type: 'response.create' });
    const text = await new Promise((resolve) =>
      realtime.on('response.output_text.done', (e) => resolve(e.text)),
    );
    expect(text).to.equal('Hello! How can I help you?');
    expect(errors).to.deep.equal([]);
    realtime.close();
  });
});
