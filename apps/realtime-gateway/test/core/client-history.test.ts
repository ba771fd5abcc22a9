import { expect } from 'chai';
import { Dialogue, typed } from './dialogue.js';

describe('an answer that the client puts into the conversation', () => {
  const written = (id?: string) =>
    typed('', {
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I promised it.' }],
      ...(id !== undefined && { id }),
    });
  const echo = (id: string) => ({ item: { ...written(id).item, status: 'completed' } });

  it('is forwarded, and recorded once as the client’s own', () => {
    for (const id of ['mine', undefined]) {
      const talk = new Dialogue()
        .client(written(id))
        .provider('conversation.item.added', echo(id ?? 'given'));
      expect(talk.of('send_provider')).to.have.length(1);
      expect(talk.messages).to.have.length(1);
      expect(talk.messages[0]).to.include({
        role: 'assistant',
        author: 'client',
        content: 'I promised it.',
      });
      expect(talk.state.ledger.slots).to.have.length(1);
    }
  });

  it('is not announced as an answer of the agent', () => {
    const talk = new Dialogue().client(written());
    const [message] = talk.messages;
    talk.happens({ kind: 'record.stored', message: message!, id: 'm' });
    expect(talk.of('send_client')).to.be.empty;
  });

  it('is told from what the user types, which has no author of its own', () => {
    const talk = new Dialogue().client(typed('Hello.'));
    expect(talk.messages[0]).to.include({ role: 'user', author: null });
  });
});
