import { expect } from 'chai';
import { collapsed, Rehearsal, weatherTool } from './rehearsal.js';

const textOnly = { output_modalities: ['text'] };
const withTools = { ...textOnly, tools: [weatherTool] };

describe('a written turn', () => {
  it('is answered in the recorded order', () => {
    const stage = new Rehearsal().update(textOnly).ask('hello').settle();
    expect(collapsed(stage.types).slice(2)).to.deep.equal([
      'conversation.item.added',
      'conversation.item.done',
      'response.created',
      'response.output_item.added',
      'conversation.item.added',
      'response.content_part.added',
      'deltas',
      'response.output_text.done',
      'response.content_part.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
      'rate_limits.updated',
    ]);
  });

  it('pads its deltas, and has the nulls of live traffic', () => {
    const stage = new Rehearsal().update(textOnly).ask('hello').settle();
    expect(stage.last('response.output_text.delta').obfuscation).to.match(/^[A-Za-z0-9]+$/);
    expect(stage.last('response.created').response).to.include({
      status_details: null,
      usage: null,
    });
  });

  it('is answered for itself when it asks for another form', () => {
    const stage = new Rehearsal().ask('hello', { ...textOnly, metadata: { topic: 'a' } }).settle();
    const { response } = stage.last('response.done');
    expect(response.output_modalities).to.deep.equal(['text']);
    expect(response.metadata).to.deep.equal({ topic: 'a' });
    expect(stage.types).to.not.include('response.output_audio.delta');
  });
});

describe('a function call', () => {
  const called = () =>
    new Rehearsal().update(withTools).ask('What is the weather in London?').settle();

  it('is made in the recorded order, with spaced arguments', () => {
    const stage = called();
    expect(collapsed(stage.types).slice(4)).to.deep.equal([
      'response.created',
      'response.output_item.added',
      'conversation.item.added',
      'deltas',
      'response.function_call_arguments.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
      'rate_limits.updated',
    ]);
    const { arguments: args, name } = stage.last('response.function_call_arguments.done');
    expect(name).to.equal('get_weather');
    expect(JSON.parse(args)).to.deep.equal({ city: 'London' });
    expect(args).to.not.equal('{"city":"London"}');
  });

  it('is followed by an answer that tells its output', () => {
    const stage = called();
    const { call_id } = stage.last('response.function_call_arguments.done');
    stage.send(outputOf(call_id, 'It is foggy, 12 degrees.'), { type: 'response.create' }).settle();
    expect(stage.answer).to.equal('Here is what get weather returned: It is foggy, 12 degrees.');
  });

  it('has its output taken up after its response when that is still running', () => {
    const stage = new Rehearsal()
      .update(withTools)
      .ask('!call get_weather {} !call get_weather {"city":"Rome"}');
    stage.until('response.function_call_arguments.done');
    const { call_id } = stage.last('response.function_call_arguments.done');
    stage.send(outputOf(call_id, 'sunny')).settle();
    const done = stage.types.indexOf('response.done');
    expect(stage.types.slice(done, done + 4)).to.deep.equal([
      'response.done',
      'rate_limits.updated',
      'conversation.item.added',
      'conversation.item.done',
    ]);
  });

  it('can be one of several in parallel', () => {
    const stage = new Rehearsal().ask('!call a {"x":1} !call b {"y":2}').settle();
    const { output } = stage.last('response.done').response;
    expect(output.map((item) => item.type === 'function_call' && item.name)).to.deep.equal([
      'a',
      'b',
    ]);
    const calls = stage.all('response.function_call_arguments.done');
    expect(new Set(calls.map(({ call_id }) => call_id)).size).to.equal(2);
    expect(calls.map(({ output_index }) => output_index)).to.deep.equal([0, 1]);
  });

  it('that is cancelled halfway still ends its arguments', () => {
    const stage = new Rehearsal()
      .ask('!call a {"x":1}')
      .until('response.function_call_arguments.delta');
    stage.send({ type: 'response.cancel' });
    expect(stage.last('response.function_call_arguments.done').arguments).to.equal('{');
    expect(stage.last('response.output_item.done').item).to.include({ status: 'incomplete' });
  });
});

describe('a response', () => {
  it('can be cancelled by the client', () => {
    const stage = new Rehearsal().ask('hello').until('response.output_audio.delta');
    stage.send({
      type: 'response.cancel',
      response_id: stage.last('response.created').response.id,
    });
    expect(stage.last('response.done').response.status_details).to.deep.equal({
      type: 'cancelled',
      reason: 'client_cancelled',
    });
  });

  it('takes null for absent in what it is asked for', () => {
    const nothing = { instructions: null, tools: null, tool_choice: null, input: null };
    const response = { ...nothing, conversation: null, metadata: null, audio: { output: null } };
    const stage = new Rehearsal().send({ type: 'response.create', event_id: null, response });
    stage.send({ type: 'response.cancel', response_id: null });
    expect(stage.all('error')).to.be.empty;
    expect(stage.last('response.done').response.status).to.equal('cancelled');
  });

  it('outside of the conversation runs beside another and leaves no item', () => {
    const stage = new Rehearsal().ask('!say one two three four').advance(60);
    stage.send({
      type: 'response.create',
      response: { conversation: 'none', input: [], instructions: '!say aside', ...textOnly },
    });
    stage.settle();
    const [first, second] = stage.all('response.done').map(({ response }) => response);
    expect(first).to.include({ conversation_id: null, status: 'completed' });
    expect(second?.status).to.equal('completed');
    expect(stage.all('conversation.item.added')).to.have.length(2);
  });

  it('may be told what to read instead of the conversation', () => {
    const content = [{ type: 'input_text', text: 'thank you' }];
    const stage = new Rehearsal().ask('hello', {
      conversation: 'none',
      input: [{ type: 'message', role: 'user', content }],
    });
    expect(stage.settle().answer).to.include('welcome');
  });

  it('may refer to an item of the conversation', () => {
    const stage = new Rehearsal().ask('thank you').settle();
    const { id } = stage.all('conversation.item.added')[0]!.item;
    const input = [{ type: 'item_reference', id }];
    stage.send({ type: 'response.create', response: { input, ...textOnly } }).settle();
    expect(stage.answer).to.include('welcome');
  });

  it('stops at its token limit and says so', () => {
    const stage = new Rehearsal()
      .ask('!say one two three four five', { max_output_tokens: 5 })
      .settle();
    const { response } = stage.last('response.done');
    expect(response.status_details).to.deep.equal({
      type: 'incomplete',
      reason: 'max_output_tokens',
    });
    expect(response.output[0]).to.include({ status: 'incomplete' });
    expect(response.usage?.output_tokens).to.be.at.most(5);
  });

  it('that stays within its token limit is complete', () => {
    const stage = new Rehearsal().ask('!say one', { max_output_tokens: 4096 }).settle();
    expect(stage.last('response.done').response.status).to.equal('completed');
  });

  it('counts text, audio and what was cached', () => {
    const stage = new Rehearsal()
      .update({ instructions: 'x'.repeat(1000) })
      .ask('hello')
      .settle();
    const first = stage.last('response.done').response.usage;
    expect(first?.input_token_details.cached_tokens).to.equal(0);
    stage.ask('hello').settle();
    const usage = stage.last('response.done').response.usage!;
    expect(usage.input_token_details.cached_tokens).to.be.greaterThan(0);
    expect(usage.input_token_details.cached_tokens % 64).to.equal(0);
    expect(usage.output_token_details.audio_tokens).to.be.greaterThan(0);
    expect(usage.total_tokens).to.equal(usage.input_tokens + usage.output_tokens);
  });

  it('carries a second copy of its part in Azure’s dialect', () => {
    const stage = new Rehearsal({ azure: true }).ask('hello').settle();
    const done = stage.last('response.content_part.done');
    expect(done.content).to.deep.equal(done.part);
  });

  it('is the same for the same seed, and has other ids for another', () => {
    const [a, b, c] = [1, 1, 2].map((seed) => new Rehearsal({ seed }).ask('hello').settle().events);
    expect(a).to.deep.equal(b);
    expect(a?.[0]?.event_id).to.not.equal(c?.[0]?.event_id);
  });
});

const outputOf = (call_id: string, output: string) => ({
  type: 'conversation.item.create',
  item: { type: 'function_call_output', call_id, output },
});
