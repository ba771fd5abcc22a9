import { expect } from 'chai';
import { Conversation } from './conversation.js';
import { typed } from './dialogue.js';

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

  it('waits where the client answers before the response is over', () => {
    const talk = new Conversation().begin().call('b', 'lookup').answer('b').create();
    expect(talk.end().told).to.be.empty;
    expect(talk.finish('b').told).to.deep.equal(['b: result', 'their create']);
    const quick = new Conversation().begin().call('b', 'lookup').answer('b').create().finish('b');
    expect(quick.told).to.deep.equal(['b: result']);
    expect(quick.end().told).to.deep.equal(['b: result', 'their create']);
  });

  it('waits for a person, and is sent once for several calls', () => {
    const talk = new Conversation().begin().call('b', 'lookup').call('c', 'lookup').end();
    talk.ask({ id: 'approval', callId: 'b' });
    talk.answer('b').create().answer('c').create();
    expect(talk.finish('c').told).to.deep.equal(['c: result']);
    talk.client({ type: 'approval.approve', callId: 'b' });
    expect(talk.told).to.have.length(1);
    expect(talk.finish('b').told.slice(1)).to.deep.equal(['b: result', 'their create']);
    expect(talk.begin('r2').end('r2').told).to.have.length(3);
  });

  it('waits for both where the client answers its own tool and a backend tool', () => {
    const talk = new Conversation().begin().call('b', 'lookup').call('m', 'show_map').end();
    talk.answer('m').create().answer('b').create();
    expect(talk.told).to.deep.equal(['m: mine']);
    expect(talk.finish('b').told.slice(1)).to.deep.equal(['b: result', 'their create']);
  });

  it('is forwarded where the client has said something new meanwhile', () => {
    const talk = new Conversation().begin().call('b', 'lookup').end().answer('b');
    talk.client(typed('Never mind.')).create();
    expect(talk.told.at(-1)).to.equal('their create');
    talk.begin('r2').end('r2');
    expect(talk.finish('b').told.slice(2)).to.deep.equal(['b: result', 'create']);
  });

  it('waits for its own part although the client has said something new', () => {
    const talk = new Conversation().begin().call('b', 'lookup').call('m', 'show_map').end();
    talk.answer('m').client(typed('Hurry.')).create();
    expect(talk.told).to.not.include('their create');
    expect(talk.finish('b').told.slice(-2)).to.deep.equal(['b: result', 'their create']);
  });

  it('makes up for nothing: without it, the service asks', () => {
    const talk = new Conversation().begin().call('b', 'lookup').end().answer('b').finish('b');
    expect(talk.told).to.deep.equal(['b: result', 'create']);
  });
});
