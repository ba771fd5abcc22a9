import { expect } from 'chai';
import { Conversation } from './conversation.js';
import { answered } from './dialogue.js';

const usage = { input_tokens: 7, output_tokens: 3 };
const words = { item_id: 'i', content_index: 0, transcript: 'A summary.' };
const output = [
  { id: 'i', type: 'message', role: 'assistant', content: [{ type: 'audio', transcript: 'x' }] },
];

/** The client asks for a response beside the conversation, and gets it. */
const aside = () =>
  new Conversation()
    .client({ type: 'response.create', response: { conversation: 'none' } })
    .begin('side', { conversation_id: null })
    .provider(answered, { ...words, response_id: 'side' })
    .provider('response.output_text.done', { item_id: 'j', response_id: 'side', text: 'More.' })
    .provider('response.done', {
      response: { id: 'side', status: 'completed', conversation_id: null, output, usage },
    });

describe('a response beside the conversation', () => {
  it('is not recorded as said, and still costs', () => {
    const talk = aside();
    expect(talk.messages).to.be.empty;
    expect(talk.of('note_usage').map(({ usage: { sourceId } }) => sourceId)).to.deep.equal([
      'side',
    ]);
  });

  it('leaves the next one to the record', () => {
    const talk = aside().begin('r', { conversation_id: 'c' });
    talk.provider(answered, { ...words, response_id: 'r' });
    expect(talk.said).to.deep.equal(['assistant: A summary.']);
  });

  it('was asked for: a provider that never names the conversation is recorded', () => {
    const talk = new Conversation().begin('r', { conversation_id: null });
    talk.provider(answered, { ...words, response_id: 'r' });
    expect(talk.said).to.deep.equal(['assistant: A summary.']);
  });

  it('is forwarded like any other', () => {
    expect(aside().of('send_client')).to.have.length(4);
  });
});
