import { expect } from 'chai';
import { Conversation } from './conversation.js';

const talk = () => new Conversation();

describe('the answer to tool calls that end in the user’s turn', () => {
  it('is not asked for while the user speaks: the response to that has the outputs', () => {
    const talking = talk().begin().call('c', 'lookup').end().speak().finish('c').taken('c').stop();
    expect(talking.told).to.deep.equal(['c: result']);
    expect(talking.begin('r2').end('r2').told).to.deep.equal(['c: result']);
    talking.begin('r3').call('d', 'lookup', 'r3').end('r3').finish('d');
    expect(talking.told.slice(1)).to.deep.equal(['d: result', 'create']);
  });

  it('is asked for after the response to the user, if the outputs came too late for that', () => {
    const late = talk().begin().call('c', 'lookup').end().speak().stop().finish('c').begin('r2');
    expect(late.taken('c').told).to.deep.equal(['c: result']);
    expect(late.end('r2').told).to.deep.equal(['c: result', 'create']);
    const during = talk().begin().call('c', 'lookup').end().speak().stop().begin('r2').finish('c');
    expect(during.end('r2').told).to.deep.equal(['c: result', 'create']);
  });

  it('is asked for when what the user said is cleared', () => {
    const talking = talk().begin().call('c', 'lookup').end().speak().finish('c').taken('c');
    talking.provider('input_audio_buffer.cleared');
    expect(talking.told).to.deep.equal(['c: result', 'create']);
  });

  it('is asked for after the user’s turn by a client that may have switched responses to it off', () => {
    const talking = talk().begin().call('c', 'lookup').end().speak().finish('c').taken('c');
    const settings = { ...talking.state.settings, clientOverrides: 'allow' } as const;
    talking.state = { ...talking.state, settings };
    expect(talking.stop().told).to.deep.equal(['c: result', 'create']);
  });

  it('does not wait for the user where the client asks for it', () => {
    const talking = talk().begin().call('c', 'lookup').end().speak().create().finish('c');
    expect(talking.told).to.deep.equal(['their create', 'c: result']);
  });
});
