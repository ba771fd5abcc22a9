import { expect } from 'chai';
import { Playing } from './playing.js';

const added = (id: string, item: object, previous_item_id?: string) => ({
  previous_item_id,
  item: { id, type: 'message', ...item },
});
const spoken = {
  role: 'user',
  status: 'completed',
  content: [{ type: 'input_audio', transcript: null }],
};

describe('the transcript', () => {
  it('puts what the user said before its answer, however late its words come', () => {
    const playing = new Playing()
      .hear('input_audio_buffer.committed', { item_id: 'u1' })
      .hear('conversation.item.added', added('u1', spoken))
      .answers('r1', 'a1', ['Good ', 'day']);
    expect(playing.lines).to.deep.equal(['user: ', 'assistant: Good day']);
    playing.hear('conversation.item.input_audio_transcription.delta', {
      item_id: 'u1',
      delta: 'Hel',
    });
    playing.hear('conversation.item.input_audio_transcription.delta', {
      item_id: 'u1',
      delta: 'lo',
    });
    expect(playing.lines[0]).to.equal('user: Hello');
    expect(playing.core.lines[0]!.message.final).to.equal(false);
    playing.hear('conversation.item.input_audio_transcription.completed', {
      item_id: 'u1',
      transcript: 'Hello!',
    });
    expect(playing.core.lines[0]!.message).to.include({ text: 'Hello!', final: true });
    playing.ends('r1', 'completed', [{ id: 'a1', type: 'message' }]);
    expect(playing.core.lines[1]!.message).to.include({ text: 'Good day', final: true });
  });

  it('follows the order of the items, not that of the events', () => {
    const playing = new Playing()
      .hear('conversation.item.added', added('u1', spoken))
      .hear('conversation.item.added', added('u3', spoken, 'u1'))
      .hear('conversation.item.added', added('u2', spoken, 'u1'))
      .hear('conversation.item.added', added('u0', spoken, 'root'));
    expect(playing.core.lines.map(({ message }) => message.id)).to.deep.equal([
      'u0',
      'u1',
      'u2',
      'u3',
    ]);
  });

  it('puts a text after the answer that had begun when it arrived, and its own answer after it', () => {
    const playing = new Playing()
      .take({ kind: 'text', text: 'Which plan?', heard: undefined })
      .take({ kind: 'text', text: 'And the price?', heard: undefined });
    const [first, second] = playing.core.lines.map(({ message }) => message.id);
    const text = (words: string) => ({
      role: 'user',
      status: 'completed',
      content: [{ type: 'input_text', text: words }],
    });
    const answer = { role: 'assistant', status: 'in_progress', content: [] };
    playing
      .hear('conversation.item.added', added(first!, text('Which plan?'), 'root'))
      .hear('conversation.item.added', added('a1', answer, 'an item of the service'))
      .hear('conversation.item.added', added(second!, text('And the price?'), 'a1'))
      .hear('conversation.item.added', added('a2', answer, second))
      .hear('conversation.item.added', added(second!, text('And the price?'), 'a1'));
    expect(playing.core.lines.map(({ message }) => message.id)).to.deep.equal([
      first,
      'a1',
      second,
      'a2',
    ]);
    expect(playing.lines[2]).to.equal('user: And the price?');
  });

  it('takes words of a transcription that comes again', () => {
    const event = { item_id: 'u1', transcript: 'Helo' };
    const playing = new Playing()
      .hear('conversation.item.input_audio_transcription.completed', event)
      .hear('conversation.item.input_audio_transcription.completed', {
        ...event,
        transcript: 'Hello',
      });
    expect(playing.lines).to.deep.equal(['user: Hello']);
  });

  it('knows where words go that name no item', () => {
    const playing = new Playing()
      .hear('conversation.item.added', added('u1', spoken))
      .hear('input_audio.transcript.done', { transcript: 'Hello' });
    expect(playing.lines).to.deep.equal(['user: Hello']);
  });

  it('ends a message whose transcription failed', () => {
    const playing = new Playing()
      .hear('conversation.item.added', added('u1', spoken))
      .hear('conversation.item.input_audio_transcription.failed', { item_id: 'u1' });
    expect(playing.core.lines[0]!.message).to.include({ text: '', final: true });
  });

  it('shows what was said before, but not twice after a reconnect', () => {
    const past = added('gw_history_1_abc', {
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Earlier' }],
    });
    const playing = new Playing().hear('conversation.item.added', past);
    expect(playing.lines).to.deep.equal(['assistant: Earlier']);
    const again = added('gw_history_1_def', past.item);
    again.item.id = 'gw_history_1_def';
    playing.take({ kind: 'lost' }).take({ kind: 'connected', again: true });
    playing.hear('conversation.item.added', again);
    expect(playing.lines).to.deep.equal(['assistant: Earlier']);
  });

  it('takes an answer’s words from the end of its response where no event told them', () => {
    const content = [{ type: 'output_audio', transcript: 'Yes' }];
    const playing = new Playing()
      .hear('response.created', { response: { id: 'r1' } })
      .hear(
        'conversation.item.added',
        added('a1', { role: 'assistant', status: 'in_progress', content: [] }),
      )
      .ends('r1', 'completed', [{ id: 'a1', type: 'message', role: 'assistant', content }]);
    expect(playing.core.lines[0]!.message).to.include({ text: 'Yes', final: true });
  });

  it('joins the content parts of a message in their order', () => {
    const of = { response_id: 'r1', item_id: 'a1' };
    const playing = new Playing()
      .hear('response.output_text.done', { ...of, content_index: 1, text: 'two' })
      .hear('response.output_text.done', { ...of, content_index: 0, text: 'one' });
    expect(playing.lines).to.deep.equal(['assistant: one\ntwo']);
  });

  it('marks what was cut off when its response did not complete, or the connection was lost', () => {
    const playing = new Playing().answers('r1', 'a1', ['One ', 'two']).ends('r1', 'cancelled');
    expect(playing.lines).to.deep.equal(['assistant: One two (interrupted)']);
    playing.answers('r2', 'a2', ['Three']).take({ kind: 'lost' });
    expect(playing.lines[1]).to.equal('assistant: Three (interrupted)');
    expect(playing.core.turn.activity).to.equal('idle');
  });

  it('survives events that lack what they should have', () => {
    const playing = new Playing(['tool']);
    const odd = [
      {},
      { item: null },
      { item: 7 },
      { item: { type: 'message' } },
      { response: [] },
      { data: 'x' },
      { item_id: 5, delta: {} },
      { error: null },
    ];
    const types = [
      'conversation.item.added',
      'response.done',
      'response.created',
      'response.output_audio.delta',
      'response.output_item.done',
      'response.function_invocation.done',
      'approval.waiting',
      'error',
      'conversation.item.truncated',
      'session.updated',
      'input_audio_buffer.committed',
      'toString',
      '__proto__',
    ];
    for (const type of types) for (const event of odd) playing.hear(type, event);
    expect(playing.lines).to.deep.equal([]);
    expect(playing.sent).to.deep.equal([]);
  });
});
