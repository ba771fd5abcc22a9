import { expect } from 'chai';
import { ownId } from '#src/core/own-ids.js';
import { providerRoute } from '#src/core/provider-routes.js';
import { step } from '#src/core/step.js';
import type { SessionState } from '#src/core/session.js';
import { codeFor, greeting, running, text } from './settings.js';

const conversationId = '7b6f4a52-2f6e-4c55-9d53-0d3a5c1e0001';
const door = { conversationId };
const atDoor: SessionState = { ...running, settings: { ...running.settings, door } };
const backend = { owner: 'backend', name: 'lookup', responseId: 'r', state: 'open' } as const;
const client = { ...backend, owner: 'client', name: 'show_map' } as const;
const calls: SessionState['calls'] = new Map([
  ['theirs', { ...backend, answeredBy: null }],
  ['mine', { ...client, answeredBy: null }],
]);

/** What the client gets of an event of the provider. */
function told(event: object, state: SessionState = { ...atDoor, calls }): unknown[] {
  const frame = text(event);
  const route = providerRoute(frame.data, false);
  const { effects } = step(state, { kind: 'provider.frame', route, frame, now: 0 });
  return effects.flatMap((effect) =>
    effect.kind === 'send_client'
      ? [effect.frame === frame ? 'unchanged' : (JSON.parse(String(effect.frame.data)) as unknown)]
      : [],
  );
}

const itemEvents = [
  'conversation.item.added',
  'conversation.item.created',
  'conversation.item.done',
  'conversation.item.retrieved',
  'response.output_item.added',
  'response.output_item.done',
];
const argumentEvents = [
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
];
const call = (call_id: string, name: string) => ({ type: 'function_call', id: 'i', call_id, name });
const output = (call_id: string) => ({ type: 'function_call_output', id: 'o', call_id });

describe('what a client of OpenAI hears', () => {
  for (const type of itemEvents) {
    it(`${type} of a backend call is left out`, () => {
      expect(told({ type, item: call('theirs', 'lookup') })).to.deep.equal([]);
      expect(told({ type, item: output('theirs') })).to.deep.equal([]);
      expect(told({ type, item: call('new', 'lookup') })).to.deep.equal([]);
    });

    it(`${type} of anything else is unchanged`, () => {
      expect(told({ type, item: call('mine', 'show_map') })).to.deep.equal(['unchanged']);
      expect(told({ type, item: call('new', 'show_map') })).to.deep.equal(['unchanged']);
      expect(told({ type, item: output('mine') })).to.deep.equal(['unchanged']);
      expect(told({ type, item: { type: 'message', id: 'm' } })).to.deep.equal(['unchanged']);
      expect(told({ type })).to.deep.equal(['unchanged']);
    });
  }

  for (const type of argumentEvents)
    it(`${type} is told of the client’s own calls alone`, () => {
      expect(told({ type, call_id: 'theirs', name: 'lookup' })).to.deep.equal([]);
      expect(told({ type, call_id: 'unheard of' })).to.deep.equal([]);
      expect(told({ type, call_id: 'mine', name: 'show_map' })).to.deep.equal(['unchanged']);
    });

  it('the past of the conversation is told without its calls, whatever their names', () => {
    const id = ownId(codeFor, 'history', 1);
    const past = (item: object) => ({ type: 'conversation.item.added', item: { ...item, id } });
    expect(told(past(call('old', 'show_map')))).to.deep.equal([]);
    expect(told(past(output('old')))).to.deep.equal([]);
    expect(told(past({ type: 'message', role: 'user' }))).to.deep.equal(['unchanged']);
  });

  it('what follows an item that was left out follows the one before it', () => {
    const added = (previous: string | null, item: object) => {
      return { type: 'conversation.item.added', previous_item_id: previous, item };
    };
    const hide = (state: SessionState, event: object): SessionState => {
      const frame = text(event);
      return step(state, { kind: 'provider.frame', route: 'slot', frame, now: 0 }).state;
    };
    const answer = { type: 'message', id: 'answer' };
    const called = hide({ ...atDoor, calls }, added('question', call('theirs', 'lookup')));
    const answered = hide(called, added('i', output('theirs')));
    expect(told(added('o', answer), answered)).to.deep.equal([added('question', answer)]);
    expect(
      told({ type: 'input_audio_buffer.committed', previous_item_id: 'i', item_id: 's' }, called),
    ).to.deep.equal([
      { type: 'input_audio_buffer.committed', previous_item_id: 'question', item_id: 's' },
    ]);
    expect(told(added('question', answer), answered)).to.deep.equal(['unchanged']);
    const first = hide({ ...atDoor, calls }, added(null, call('theirs', 'lookup')));
    expect(told(added('i', answer), first)).to.deep.equal([added(null, answer)]);
  });

  it('a response ends without the entries of backend calls', () => {
    const message = { type: 'message', id: 'm' };
    const done = (...items: object[]) => ({
      type: 'response.done',
      response: { id: 'r', status: 'completed', usage: { total_tokens: 3 }, output: items },
    });
    const [lookup, showMap] = [call('theirs', 'lookup'), call('mine', 'show_map')];
    expect(told(done(message, lookup, showMap))).to.deep.equal([done(message, showMap)]);
    expect(told(done(lookup))).to.deep.equal([done()]);
    expect(told(done(message, showMap))).to.deep.equal(['unchanged']);
    expect(told({ type: 'response.done' })).to.deep.equal(['unchanged']);
  });

  it('its conversation follows session.created', () => {
    const opening = { ...greeting, settings: atDoor.settings };
    expect(told({ type: 'session.created', session: {} }, opening)).to.deep.equal([
      'unchanged',
      { type: 'session.conversation', data: { conversationId } },
    ]);
    expect(told({ type: 'session.created', session: {} }, greeting)).to.deep.equal(['unchanged']);
  });

  it('everything is as ever where clients speak our own protocol', () => {
    const event = { type: 'response.output_item.done', item: call('theirs', 'lookup') };
    expect(told(event, { ...running, calls })).to.deep.equal(['unchanged']);
  });
});
