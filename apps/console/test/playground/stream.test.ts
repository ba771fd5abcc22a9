import { expect } from 'chai';
import { placeCalls, type Message, type ToolCall } from '@parley/client';
import { learned, noFacts } from '#src/pages/playground/call-facts.js';
import { heardParts, nothingSaid, shownEntries } from '#src/pages/playground/stream.js';

const message = (id: string, text = id, more: Partial<Message> = {}): Message => ({
  id,
  role: 'assistant',
  text,
  final: true,
  interrupted: false,
  heardLength: text.length,
  replayed: false,
  ...more,
});
const call = (callId: string): ToolCall => ({
  callId,
  name: 'tool',
  origin: 'service',
  title: null,
  imageUrl: null,
  arguments: {},
  state: 'running',
  output: null,
  link: null,
});

describe('what is said and done', () => {
  it('keeps a call where it happened, also when something is said before it later', () => {
    const first = { ...nothingSaid, messages: [message('a')], calls: [call('c')] };
    const places = placeCalls(new Map(), first);
    const later = { ...first, messages: [message('0'), message('a'), message('b')] };
    expect(shownEntries(placeCalls(places, later), later).map(({ key }) => key)).to.deep.equal([
      '0',
      'a',
      'call c',
      'b',
    ]);
  });

  it('begins with calls that came before any words', () => {
    const said = { ...nothingSaid, calls: [call('c')] };
    const later = { ...said, messages: [message('a')] };
    expect(shownEntries(placeCalls(new Map(), said), later).map(({ key }) => key)).to.deep.equal([
      'call c',
      'a',
    ]);
  });

  it('leaves out answers without words, but keeps the place of what the user is saying', () => {
    const messages = [message('empty', ' '), message('u', '', { role: 'user', final: false })];
    expect(
      shownEntries(new Map(), { ...nothingSaid, messages }).map(({ key }) => key),
    ).to.deep.equal(['u']);
  });

  it('divides an interrupted answer at a word', () => {
    const cut = { interrupted: true, heardLength: 9 };
    expect(heardParts(message('a', 'The shop is open', cut))).to.deep.equal([
      'The shop ',
      'is open',
    ]);
    expect(heardParts(message('a', 'Whole', { interrupted: true }))).to.deep.equal(['Whole', '']);
    expect(
      heardParts(message('a', 'Nothing', { interrupted: true, heardLength: 0 })),
    ).to.deep.equal(['', 'Nothing']);
  });
});

describe('what events tell of a call', () => {
  const got = (type: string, data: object) => ({ sent: false, event: { type, data } });

  it('is when it ran, how long, and which agent it asks', () => {
    const events = [
      got('response.function_invocation.start', { callId: 'c', chatbotId: 'agent' }),
      got('subagent.start', { callId: 'c', id: 'other', name: 'Expert' }),
      got('response.function_invocation.done', { callId: 'c', executionTimeSeconds: 0.25 }),
    ];
    const facts = events.reduce((now, event, nth) => learned(now, event, nth), noFacts);
    expect(facts.get('c')).to.deep.equal({
      startedAt: 0,
      agentId: 'agent',
      subagent: { id: 'other', name: 'Expert' },
      endedAt: 2,
      executionMs: 250,
    });
  });

  it('is of a client tool what this page answers', () => {
    const item = { type: 'function_call', call_id: 'c' };
    const started = learned(
      noFacts,
      { sent: false, event: { type: 'response.output_item.done', item } },
      5,
    );
    const output = { type: 'function_call_output', call_id: 'c' };
    const event = { type: 'conversation.item.create', item: output };
    expect(learned(started, { sent: true, event }, 9).get('c')).to.deep.equal({
      startedAt: 5,
      endedAt: 9,
    });
  });

  it('is nothing where the call is not named', () => {
    expect(learned(noFacts, got('subagent.start', { callId: 'x' }), 1)).to.equal(noFacts);
    expect(learned(noFacts, got('response.function_invocation.start', {}), 1)).to.equal(noFacts);
  });
});
