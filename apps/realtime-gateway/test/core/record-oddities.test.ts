import { expect } from 'chai';
import { answer, answered, Dialogue, item, transcribed, turn, typed } from './dialogue.js';

const vendor = 'input_audio.transcript.done';

describe('odd events of a provider', () => {
  it('tell a transcript of an item that was never announced: it stands where it came', () => {
    const dialogue = turn()
      .provider(transcribed, { item_id: 'stranger', transcript: 'Me too.' })
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' })
      .provider(answered, answer);
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.', 'user: Me too.']);
  });

  it('repeat an event with its id and without the item’s', () => {
    const dialogue = new Dialogue()
      .provider(vendor, { event_id: 'e1', transcript: 'Yes.' })
      .provider(vendor, { event_id: 'e1', transcript: 'Yes.' })
      .provider(vendor, { event_id: 'e2', transcript: 'Yes.' });
    expect(dialogue.said).to.deep.equal(['user: Yes.', 'user: Yes.']);
  });

  it('tell words under another name while the next ones are awaited', () => {
    const dialogue = turn()
      .provider('input_audio_buffer.committed', { item_id: 'v', previous_item_id: 'a' })
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' })
      .provider(vendor, { transcript: 'Hi.' })
      .provider(transcribed, { item_id: 'v', transcript: 'Wait.' });
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'user: Wait.']);
  });

  it('tell words that the user had also typed', () => {
    const dialogue = new Dialogue().client(typed('Yes.')).provider(vendor, { transcript: 'Yes.' });
    expect(dialogue.said).to.deep.equal(['user: Yes.', 'user: Yes.']);
  });

  it('answer outside of the conversation, though nobody asked for that: it was said all the same', () => {
    const text = { item_id: 'x', response_id: 'r', text: 'Aside.' };
    const response = { id: 'r', status: 'completed', conversation_id: null, output: [] };
    const dialogue = turn()
      .provider('response.output_text.done', text)
      .provider('response.done', { response });
    expect(dialogue.said).to.deep.equal(['assistant: Aside.']);
  });

  it('delete and retrieve an item: what was said stays, and its transcript finds its place', () => {
    const dialogue = turn()
      .provider(answered, answer)
      .provider('conversation.item.retrieved', item('u', 'user'))
      .provider('conversation.item.deleted', { item_id: 'u' })
      .provider('conversation.item.deleted', { item_id: 'a' })
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' });
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.']);
  });

  it('announce an audio item: it is not what the client typed without a word', () => {
    const sound = [{ type: 'input_audio' }];
    const dialogue = new Dialogue()
      .client(typed(''))
      .provider('conversation.item.added', item('sound', 'user', sound))
      .provider(transcribed, { item_id: 'sound', transcript: 'Hi.' });
    expect(dialogue.said).to.deep.equal(['user: ', 'user: Hi.']);
    expect(dialogue.of('amend')).to.be.empty;
  });

  it('hold characters that no database stores', () => {
    const transcript = '\0a\0\ud800b\udc00\u{1f600}';
    const dialogue = turn().provider(transcribed, { item_id: 'u\0', transcript });
    expect(dialogue.said).to.deep.equal(['user: a\ufffdb\ufffd\u{1f600}']);
    expect(dialogue.messages[0]).to.include({ itemId: 'u' });
  });

  it('count what cannot be: it counts for nothing', () => {
    const counts = { input_tokens: 2 ** 53 - 1, output_tokens: 2 ** 31, seconds: 1e308 };
    const dialogue = turn().provider(transcribed, {
      item_id: 'u',
      transcript: 'Hi.',
      usage: counts,
    });
    const { usage } = dialogue.of('note_usage')[0]!;
    expect(Object.values(usage.counts).every((count) => count === 0)).to.equal(true);
  });

  it('are not silenced by a client that takes their item’s id', () => {
    const dialogue = turn()
      .client(typed('Mine.', { id: 'a' }))
      .provider(answered, answer);
    expect(dialogue.said).to.deep.equal(['assistant: Hello.']);
  });

  it('say what the client types, not what it adds beside it', () => {
    const content = [{ type: 'input_text', text: 'Hi.', transcript: 'Something else.' }];
    expect(new Dialogue().client(typed('', { content })).said).to.deep.equal(['user: Hi.']);
  });
});
