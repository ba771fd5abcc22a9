import { expect } from 'chai';
import { answer, answered, Dialogue, transcribed, turn, typed } from './dialogue.js';

const failed = 'conversation.item.input_audio_transcription.failed';
const words = (transcript: string, more: object = {}) => ({ item_id: 'u', transcript, ...more });

/** The texts that replaced another, and whether it was the first one. */
const rewritten = (dialogue: Dialogue) =>
  dialogue.of('rewrite').map(({ message, first }) => [message.content, first]);

describe('a transcript that the provider completes again', () => {
  it('replaces the words of the same message each time they differ', () => {
    const dialogue = turn();
    for (const text of ['I', 'I would', 'I would', 'I would go.'])
      dialogue.provider(transcribed, words(text));
    expect(dialogue.said).to.deep.equal(['user: I']);
    expect(rewritten(dialogue)).to.deep.equal([
      ['I would', false],
      ['I would go.', false],
    ]);
    const [first, second] = dialogue.of('rewrite');
    const { key, position, createdAt } = dialogue.messages[0]!;
    for (const again of [first, second])
      expect(again?.message).to.include({ key, position, createdAt, contentIndex: 0 });
  });

  it('differs wherever it differs, however long it is', () => {
    const long = (end: string) => `${'so '.repeat(300)}${end}`;
    const dialogue = turn()
      .provider(transcribed, words(long('bad')))
      .provider(transcribed, words(long('sad')));
    expect(rewritten(dialogue)).to.deep.equal([[long('sad'), false]]);
  });

  it('gives words to one that had failed, and loses none to a failure', () => {
    const dialogue = turn().provider(failed, { item_id: 'u' }).provider(transcribed, words('Hi.'));
    expect(rewritten(dialogue)).to.deep.equal([['Hi.', true]]);
    dialogue.provider(failed, { item_id: 'u' }).provider(transcribed, words('Hi!'));
    expect(rewritten(dialogue).slice(1)).to.deep.equal([['Hi!', false]]);
  });

  it('counts the cost once', () => {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const dialogue = turn()
      .provider(transcribed, words('I', { usage }))
      .provider(transcribed, words('I would', { usage }));
    expect(dialogue.of('note_usage')).to.have.length(1);
  });

  it('changes neither what the client typed nor what the agent said', () => {
    const dialogue = turn()
      .client(typed('Mine.', { id: 'typed' }))
      .provider(transcribed, { item_id: 'typed', transcript: 'Another.' })
      .provider(answered, answer)
      .provider(answered, { ...answer, transcript: 'Bye.' });
    expect(dialogue.of('rewrite')).to.be.empty;
  });

  it('is told to the client as message.updated', () => {
    const dialogue = new Dialogue().happens({ kind: 'record.rewritten', id: 'm', content: 'Hi.' });
    expect(JSON.parse(String(dialogue.of('send_client')[0]?.frame.data))).to.deep.equal({
      type: 'message.updated',
      data: { id: 'm', content: 'Hi.' },
    });
  });
});
