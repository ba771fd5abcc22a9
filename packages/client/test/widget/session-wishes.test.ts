import { expect } from 'chai';
import { noWishes, sessionChange, wishesFor } from '#src/widget/session-wishes.js';

describe('what the widget asks of a session', () => {
  it('is text while nobody listens, and the voice again when the user talks', () => {
    const writing = wishesFor('off', 'hands-free');
    const talking = wishesFor('on', 'hands-free');
    expect(sessionChange(noWishes, writing)).to.deep.equal({
      type: 'realtime',
      output_modalities: ['text'],
    });
    expect(sessionChange(writing, talking)).to.deep.equal({
      type: 'realtime',
      output_modalities: ['audio'],
    });
  });

  it('is nothing where the agent’s own settings do', () => {
    expect(sessionChange(noWishes, wishesFor('on', 'hands-free'))).to.equal(undefined);
    expect(sessionChange(noWishes, wishesFor('muted', 'hands-free'))).to.equal(undefined);
  });

  it('is no turn detection while the user holds a button to talk', () => {
    expect(sessionChange(noWishes, wishesFor('on', 'push'))).to.deep.equal({
      type: 'realtime',
      audio: { input: { turn_detection: null } },
    });
  });
});
