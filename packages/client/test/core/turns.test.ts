import { expect } from 'chai';
import fc from 'fast-check';
import { Playing } from './playing.js';

const call = (callId: string, args = '{}', name = 'tool') => ({
  response_id: 'r1',
  call_id: callId,
  name,
  arguments: args,
});
const outputsIn = ({ sent }: Playing) =>
  sent.flatMap(({ item }) => (item ? [(item as { call_id: string }).call_id] : []));

describe('a typed turn', () => {
  it('is an item and a create, and stands in the transcript at once', () => {
    const playing = new Playing().take({ kind: 'text', text: 'Hello', heard: undefined });
    expect(playing.lines).to.deep.equal(['user: Hello']);
    expect(playing.sentTypes()).to.deep.equal(['conversation.item.create', 'response.create']);
  });

  it('interrupts the agent, and asks for the next response when that one is over', () => {
    const playing = new Playing().answers('r1', 'a1', ['One']);
    playing.take({ kind: 'text', text: 'Stop', heard: undefined });
    expect(playing.sentTypes()).to.deep.equal([
      'response.cancel',
      'conversation.item.truncate',
      'conversation.item.create',
    ]);
    playing.ends('r1', 'cancelled');
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
  });

  it('is not told twice when the provider repeats it', () => {
    const playing = new Playing().take({ kind: 'text', text: 'Hello', heard: undefined });
    const { item } = playing.sent[0]!;
    playing.hear('conversation.item.added', { item: { ...(item as object), status: 'completed' } });
    expect(playing.lines).to.deep.equal(['user: Hello']);
  });
});

describe('a call of a client tool', () => {
  it('runs once, with its arguments parsed, however often it is told', () => {
    const playing = new Playing(['tool']);
    playing.hear('response.created', { response: { id: 'r1' } });
    playing.hear('response.function_call_arguments.done', call('c1', '{  \n "city": "London" }'));
    const item = { type: 'function_call', status: 'completed', ...call('c1') };
    playing.hear('response.output_item.done', { response_id: 'r1', item });
    playing.ends('r1', 'completed', [item]);
    const runs = playing.effects.flatMap((effect) => (effect.kind === 'run' ? [effect.call] : []));
    expect(runs.map(({ arguments: args }) => args)).to.deep.equal([{ city: 'London' }]);
  });

  it('of a tool that this client does not have is the service’s', () => {
    const playing = new Playing(['tool']).hear(
      'response.function_call_arguments.done',
      call('c1', '{}', 'other'),
    );
    expect(playing.effects).to.deep.equal([]);
    expect(playing.core.calls).to.deep.equal([]);
  });

  it('whose arguments were cut off does not run', () => {
    const playing = new Playing(['tool']).hear('response.created', { response: { id: 'r1' } });
    playing.hear('response.function_call_arguments.done', call('c1', '{"city": "Lon'));
    playing.ends('r1', 'cancelled', [
      { type: 'function_call', status: 'incomplete', ...call('c1', '{"city": "Lon') },
    ]);
    expect(playing.core.calls).to.deep.equal([]);
  });

  it('is answered in the order of the calls, and then one response is asked for', () => {
    const playing = new Playing(['tool']).hear('response.created', { response: { id: 'r1' } });
    for (const id of ['c1', 'c2', 'c3'])
      playing.hear('response.function_call_arguments.done', call(id));
    playing.take({ kind: 'answered', callId: 'c3', output: '3', ok: true });
    playing.take({ kind: 'answered', callId: 'c1', output: '1', ok: true });
    expect(outputsIn(playing)).to.deep.equal(['c1']);
    playing.ends('r1');
    playing.take({ kind: 'answered', callId: 'c2', output: '2', ok: false });
    expect(outputsIn(playing)).to.deep.equal(['c1', 'c2', 'c3']);
    expect(playing.sentTypes().at(-1)).to.equal('response.create');
  });

  it('of a response that was cut off is answered, but the model is not asked to go on', () => {
    const playing = new Playing(['tool']).hear('response.created', { response: { id: 'r1' } });
    playing.hear('response.function_call_arguments.done', call('c1')).ends('r1', 'cancelled');
    playing.take({ kind: 'answered', callId: 'c1', output: '1', ok: true });
    expect(playing.sentTypes()).to.deep.equal(['conversation.item.create']);
  });

  it('asks for no response while the user speaks, nor when one follows by itself', () => {
    const playing = new Playing(['tool']).hear('response.created', { response: { id: 'r1' } });
    playing.hear('response.function_call_arguments.done', call('c1')).ends('r1');
    playing.hear('input_audio_buffer.speech_started');
    playing.take({ kind: 'answered', callId: 'c1', output: '1', ok: true });
    playing.hear('input_audio_buffer.committed', { item_id: 'u1' });
    expect(playing.sentTypes()).to.deep.equal(['conversation.item.create']);
    playing.hear('response.created', { response: { id: 'r2' } }).ends('r2');
    expect(playing.sentTypes()).to.deep.equal([]);
  });

  it('that is lost with its connection is answered by nobody', () => {
    const playing = new Playing(['tool']).hear('response.created', { response: { id: 'r1' } });
    playing.hear('response.function_call_arguments.done', call('c1')).take({ kind: 'lost' });
    playing.take({ kind: 'answered', callId: 'c1', output: '1', ok: true });
    expect(playing.sentTypes()).to.deep.equal([]);
    expect(playing.core.calls[0]).to.include({ state: 'failed' });
  });

  it('gets exactly one output and one create follows, in whatever order things happen', () => {
    const events = fc.shuffledSubarray(['c1', 'c2', 'c3', 'done'], { minLength: 4 });
    fc.assert(
      fc.property(events, (order) => {
        const playing = new Playing(['tool']).hear('response.created', { response: { id: 'r1' } });
        for (const id of ['c1', 'c2', 'c3'])
          playing.hear('response.function_call_arguments.done', call(id));
        for (const what of order)
          if (what === 'done') playing.ends('r1');
          else playing.take({ kind: 'answered', callId: what, output: what, ok: true });
        expect(outputsIn(playing)).to.deep.equal(['c1', 'c2', 'c3']);
        expect(playing.sentTypes().filter((type) => type === 'response.create')).to.have.length(1);
      }),
    );
  });
});

describe('a create that is refused because a response is active', () => {
  const busy = {
    error: { code: 'conversation_already_has_active_response', message: 'busy' },
  };
  const begins = (playing: Playing, id: string) =>
    playing.hear('response.created', { response: { id } });

  it('is sent again when that one is over', () => {
    const playing = begins(new Playing().take({ kind: 'commit' }), 'r1').hear('error', busy);
    playing.sentTypes();
    playing.ends('r1');
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
  });

  it('is sent again, too, if that one is announced after the refusal', () => {
    const playing = new Playing().take({ kind: 'commit' }).hear('error', busy);
    playing.sentTypes();
    begins(playing, 'r1').ends('r1');
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
  });

  it('interrupts it for a text, which it does not know, and is sent again when it is over', () => {
    const playing = new Playing().take({ kind: 'text', text: 'Hello', heard: undefined });
    begins(playing, 'r1').sentTypes();
    playing.hear('error', busy);
    expect(playing.sent).to.deep.equal([{ type: 'response.cancel', response_id: 'r1' }]);
    playing.sentTypes();
    playing.ends('r1', 'cancelled');
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
    begins(playing, 'r2').ends('r2');
    expect(playing.sentTypes()).to.deep.equal([]);
  });

  it('does so for a text that has already interrupted another', () => {
    const playing = begins(new Playing(), 'r1');
    playing.take({ kind: 'text', text: 'Hello', heard: undefined }).ends('r1', 'cancelled');
    begins(playing, 'r2').sentTypes();
    playing.hear('error', busy);
    expect(playing.sentTypes()).to.deep.equal(['response.cancel']);
  });

  it('interrupts nothing for a call’s output', () => {
    const playing = begins(new Playing(['tool']), 'r1');
    playing.hear('response.function_call_arguments.done', call('c1')).ends('r1');
    playing.take({ kind: 'answered', callId: 'c1', output: '1', ok: true });
    begins(playing, 'r2').sentTypes();
    playing.hear('error', busy);
    expect(playing.sentTypes()).to.deep.equal([]);
    playing.ends('r2');
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
  });
});
