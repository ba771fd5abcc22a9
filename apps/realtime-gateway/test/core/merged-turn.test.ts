import { expect } from 'chai';
import { merging, Session } from './merging.js';

describe('turn detection that a client has changed', () => {
  for (const detection of [null, { type: 'server_vad', create_response: false }])
    it(`lets the service ask by itself after the user has spoken: ${JSON.stringify(detection)}`, () => {
      const session = new Session().update({ turn_detection: detection });
      session.begin().call('b', 'lookup').end().speak().stop().finish('b');
      expect(session.told.slice(1)).to.deep.equal(['b: result', 'create']);
    });

  it('is known from the session’s creation, too', () => {
    const turnDetection = { type: 'semantic_vad', createResponse: false } as const;
    const session = new Session({ ...merging, settings: { ...merging.settings, turnDetection } });
    session.begin().call('b', 'lookup').end().speak().stop().finish('b');
    expect(session.told).to.deep.equal(['b: result', 'create']);
  });

  it('ends the wait for a response that would have followed', () => {
    const session = new Session().begin().call('b', 'lookup').end().speak().finish('b');
    expect(session.told).to.deep.equal(['b: result']);
    session.update({ turn_detection: null });
    expect(session.told.at(-1)).to.equal('create');
  });

  it('waits for that response where one follows', () => {
    const session = new Session().update({ turn_detection: { type: 'server_vad' } });
    session.begin().call('b', 'lookup').end().speak().stop().finish('b');
    expect(session.told.slice(1)).to.deep.equal(['b: result']);
  });
});

describe('a response.create that is merged', () => {
  const create = (response: object, more: object = {}) =>
    new Session().client({ type: 'response.create', ...more, response });

  it('loses what is the agent’s, in the response and beside it, and goes on', () => {
    const session = create(
      { instructions: 'Sing.', tools: [], input: [], metadata: { a: '1' }, prompt: null },
      { event_id: 'mine', tool_choice: 'none' },
    );
    expect(session.sent).to.deep.equal([
      {
        type: 'response.create',
        event_id: 'mine',
        response: { metadata: { a: '1' }, prompt: null },
      },
    ]);
    expect(session.left).to.deep.equal(['instructions', 'tools', 'tool_choice', 'input']);
  });

  it('is forwarded as the very bytes that came where it replaces nothing', () => {
    const session = create({ instructions: 'Be kind.\n\nBe brief.', tools: null });
    expect(session.of('send_provider')[0]?.frame.data).to.be.instanceOf(Buffer);
    expect(session.left).to.be.empty;
  });

  it('is held like any other', () => {
    const session = new Session().begin().call('b', 'lookup').end().answer('b');
    session.client({ type: 'response.create', event_id: 'theirs', response: { tools: [] } });
    expect(session.told).to.be.empty;
    expect(session.finish('b').told).to.deep.equal(['b: result', 'their create']);
  });

  it('loses them without a response, too', () => {
    const session = new Session().client({ type: 'response.create', instructions: 'Sing.' });
    expect(session.sent).to.deep.equal([{ type: 'response.create' }]);
  });
});
