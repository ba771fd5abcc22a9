import { expect } from 'chai';
import { Conversation } from './conversation.js';

describe('the create of a client whose output was refused', () => {
  it('waits for the output of the backend tool, and is the one create', () => {
    const talk = new Conversation().begin().call('b', 'lookup').end().answer('b').create();
    expect(talk.refusals).to.deep.equal(['FunctionOutputNotAllowed']);
    expect(talk.told).to.be.empty;
    expect(talk.finish('b').told).to.deep.equal(['b: result', 'their create']);
  });

  it('is dropped if the service has asked for that answer', () => {
    const talk = new Conversation().begin().call('b', 'lookup').end().finish('b');
    expect(talk.answer('b').create().told).to.deep.equal(['b: result', 'create']);
  });

  it('is forwarded where the client answered a tool of its own, too', () => {
    const talk = new Conversation().begin().call('b', 'lookup').call('m', 'show_map').end();
    talk.finish('b').answer('m').answer('b').create();
    expect(talk.told).to.deep.equal(['b: result', 'm: mine', 'their create']);
  });

  it('is forwarded where no call has this id, or its response was cut off', () => {
    expect(new Conversation().answer('none').create().told).to.deep.equal(['their create']);
    const cut = new Conversation().begin().call('b', 'lookup').end('r', 'cancelled').finish('b');
    expect(cut.answer('b').create().told.at(-1)).to.equal('their create');
  });
});
