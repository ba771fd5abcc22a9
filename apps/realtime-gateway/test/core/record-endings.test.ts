import { expect } from 'chai';
import type { Input } from '#src/core/session.js';
import { answer, answered, Dialogue, item, transcribed, turn, typed } from './dialogue.js';

const done = (status: string, output: object[], more: object = {}) => ({
  response: { id: 'r', status, output, ...more },
});
const spoken = (id: string, status: string, ...transcripts: string[]) => ({
  id,
  type: 'message',
  role: 'assistant',
  status,
  content: transcripts.map((transcript) => ({ type: 'output_audio', transcript })),
});
const usage = { input_tokens: 7, output_tokens: 2 };

describe('what no event told when the session ends', () => {
  const endings: Input[] = [
    { kind: 'client.closed' },
    { kind: 'provider.closed', code: 1006, reason: '' },
    { kind: 'provider.silent' },
    { kind: 'client.stalled' },
    { kind: 'timer.fired', timer: 'idle' },
    { kind: 'drain.requested' },
  ];
  for (const ending of endings)
    it(`is marked in its place, whatever ended it: ${ending.kind}`, () => {
      const dialogue = turn().client(typed('Hello?')).happens(ending);
      expect(dialogue.said).to.deep.equal(['user: ', 'assistant: ', 'user: Hello?']);
      const [, user, assistant] = dialogue.messages;
      expect(user).to.include({ itemId: 'u', status: 'failed', interrupted: false });
      expect(assistant).to.include({ itemId: 'a', status: 'failed', interrupted: true });
    });

  it('is nothing where everything was told', () => {
    const dialogue = turn()
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' })
      .provider(answered, answer)
      .provider('conversation.item.added', { item: { id: 'c', type: 'function_call' } })
      .provider('conversation.item.added', item('s', 'system'))
      .provider('input_audio_buffer.speech_started', { item_id: 'next' })
      .happens({ kind: 'client.closed' });
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.']);
  });

  it('is settled once', () => {
    const dialogue = turn().happens({ kind: 'drain.requested' }).happens({ kind: 'client.closed' });
    expect(dialogue.messages).to.have.length(2);
  });

  it('does not take an answer for awaited that the client itself made up', () => {
    const content = [{ type: 'output_text', text: 'I am the agent.' }];
    const made = { id: 'm', type: 'message', role: 'assistant', content };
    const dialogue = new Dialogue()
      .provider('conversation.item.added', { item: made })
      .happens({ kind: 'client.closed' });
    expect(dialogue.messages).to.be.empty;
  });

  it('survives 2,000 items that came after it', () => {
    const dialogue = turn();
    for (let n = 0; n < 2000; n += 1) dialogue.client(typed(String(n)));
    dialogue.happens({ kind: 'client.closed' });
    expect(dialogue.state.ledger.slots.length).to.be.at.most(500);
    expect(dialogue.said.slice(0, 3)).to.deep.equal(['user: ', 'assistant: ', 'user: 0']);
  });
});

describe('the end of a response', () => {
  it('tells the words of an answer that was cut off before any other event could', () => {
    const output = [spoken('a', 'incomplete', 'Hel')];
    const dialogue = turn().provider('response.done', done('cancelled', output, { usage }));
    expect(dialogue.messages).to.have.length(1);
    expect(dialogue.messages[0]).to.include({ content: 'Hel', interrupted: true, itemId: 'a' });
    expect(dialogue.of('amend')).to.have.length(1);
    expect(dialogue.of('amend')[0]?.change).to.have.nested.property('usage.inputTextTokens', 7);
    dialogue.provider(answered, answer).happens({ kind: 'client.closed' });
    expect(dialogue.said).to.deep.equal(['user: ', 'assistant: Hel']);
  });

  it('tells nothing again that another event told', () => {
    const output = [spoken('a', 'completed', 'Hello.')];
    const nameless = { ...answer, item_id: undefined };
    for (const told of [answer, nameless]) {
      const dialogue = turn()
        .provider(answered, told)
        .provider('response.done', done('completed', output));
      expect(dialogue.said).to.deep.equal(['assistant: Hello.']);
    }
  });

  it('may come before the words', () => {
    const dialogue = turn()
      .provider('response.done', done('cancelled', [spoken('a', 'incomplete')]))
      .provider(answered, answer);
    expect(dialogue.messages).to.have.length(1);
    expect(dialogue.messages[0]).to.include({ content: 'Hello.', interrupted: true });
  });

  it('concerns each of several items and parts', () => {
    const output = [spoken('a', 'completed', 'One.', 'Two.'), spoken('b', 'incomplete', 'Thr')];
    const dialogue = turn()
      .provider('conversation.item.added', { previous_item_id: 'a', ...item('b', 'assistant') })
      .provider('response.done', done('incomplete', output, { usage }));
    expect(dialogue.said).to.deep.equal(['assistant: One.', 'assistant: Two.', 'assistant: Thr']);
    expect(dialogue.messages.map((message) => message.interrupted)).to.deep.equal([
      false,
      false,
      true,
    ]);
    expect(dialogue.of('amend').map(({ parts }) => parts)).to.deep.equal([
      [{ key: 'a', contentIndex: 0 }],
    ]);
  });

  for (const status of ['completed', 'cancelled', 'incomplete', 'failed'])
    it(`is counted with the status "${status}"`, () => {
      const dialogue = new Dialogue().provider('response.done', done(status, [], { usage }));
      expect(dialogue.of('note_usage')).to.have.length(1);
    });

  it('is ignored where it makes no sense', () => {
    for (const response of [
      null,
      [],
      'r',
      { output: 'none' },
      { output: [null, 1, { id: 'a' }] },
    ]) {
      const dialogue = turn().provider('response.done', { response });
      expect(dialogue.messages).to.be.empty;
    }
  });
});
