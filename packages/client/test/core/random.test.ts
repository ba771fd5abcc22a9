import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import type { Input } from '#src/core/state.js';
import { Playing, voice } from './playing.js';

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const responseId = one('r1', 'r2', 'r3', null);
const itemId = one('a1', 'a2', 'u1', 'u2', null);
const callId = one('c1', 'c2', 'c3');
const heard = fc.option(
  fc.record({ itemId: one('a1', 'a2'), contentIndex: one(0), ms: fc.double() }),
  {
    freq: 2,
    nil: null,
  },
);

const happening: fc.Arbitrary<object> = fc.oneof(
  fc.record({ type: one('response.created'), response: fc.record({ id: responseId }) }),
  fc.record({
    type: one('response.done'),
    response: fc.record({
      id: responseId,
      status: one('completed', 'cancelled', 'failed', 'incomplete'),
      output: fc.array(
        fc.oneof(
          fc.record({ id: itemId, type: one('message'), status: one('completed', 'incomplete') }),
          fc.record({
            type: one('function_call'),
            call_id: callId,
            name: one('tool', 'other'),
            arguments: one('{}', '{"a'),
          }),
        ),
        { maxLength: 3 },
      ),
    }),
  }),
  fc.record({
    type: one('response.function_call_arguments.done'),
    response_id: responseId,
    call_id: callId,
    name: one('tool', 'other'),
    arguments: one('{}', '{"a', ''),
  }),
  fc.record({
    type: one(
      'response.output_audio_transcript.delta',
      'response.output_audio.delta',
      'response.output_text.done',
    ),
    response_id: responseId,
    item_id: itemId,
    delta: one<unknown>('word ', voice(40), 7),
    text: one('words', null),
  }),
  fc.record({
    type: one(
      'conversation.item.added',
      'conversation.item.truncated',
      'input_audio_buffer.committed',
    ),
    item_id: itemId,
    previous_item_id: itemId,
    audio_end_ms: fc.integer(),
    item: fc.record({ id: itemId, type: one('message'), role: one('user', 'assistant', 'system') }),
  }),
  fc.record({
    type: one(
      'input_audio_buffer.speech_started',
      'input_audio_buffer.cleared',
      'error',
      'session.updated',
    ),
  }),
  fc.record({
    type: one(
      'response.function_invocation.start',
      'response.function_invocation.done',
      'approval.waiting',
      'approval.approved',
    ),
    data: fc.record({
      callId,
      approvalRequired: fc.boolean(),
      timeoutSeconds: fc.integer(),
      status: one(1, 2),
    }),
  }),
  fc.object(),
);

const input: fc.Arbitrary<Input> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: one('event' as const),
      event: happening.map((event) => ({ type: '', ...event })),
      now: one(0),
      heard,
    }),
  },
  fc.record({ kind: one('text' as const), text: one('Hello'), heard }),
  fc.record({ kind: one('interrupt' as const), heard }),
  fc.record({ kind: one('talking' as const), talking: fc.boolean() }),
  fc.record({ kind: one('answered' as const), callId, output: one('x'), ok: fc.boolean() }),
  fc.record({ kind: one('decide' as const), callId, approve: fc.boolean() }),
  fc.record({ kind: one('commit' as const, 'lost' as const) }),
  fc.record({ kind: one('connected' as const), again: fc.boolean() }),
);

describe('whatever happens in whatever order', () => {
  it('never asks for a response while one is active, answers no call twice, and says nothing twice', () => {
    fc.assert(
      fc.property(fc.array(input, { maxLength: 60 }), (inputs) => {
        const playing = new Playing(['tool']);
        const answered: unknown[] = [];
        for (const each of inputs) {
          playing.effects = [];
          playing.take(each);
          for (const { type, item } of playing.sent) {
            if (type === 'response.create') expect(playing.core.turn.active).to.deep.equal([]);
            const { call_id } = (item ?? {}) as { call_id?: string };
            if (call_id !== undefined) answered.push(call_id);
          }
        }
        expect(new Set(answered).size).to.equal(answered.length);
        const ids = playing.core.lines.map(({ message }) => message.id);
        expect(new Set(ids).size).to.equal(ids.length);
        for (const { message } of playing.core.lines)
          expect(message.heardLength).to.be.within(0, message.text.length);
      }),
      fuzz(500),
    );
  });
});
