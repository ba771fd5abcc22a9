import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import {
  attributeTo,
  emitAttributedTo,
  guardedBy,
  isTakenOn,
  type ErrorOwner,
} from '#src/stray-errors.js';

function owner({ over = false } = {}) {
  const taken: unknown[] = [];
  const takeError: ErrorOwner = (error) => !over && taken.push(error) > 0;
  return { takeError, taken };
}

const bug = new Error('bug');
const throwBug = () => {
  throw bug;
};

describe('an error that nobody catches', () => {
  it('is attributed to the owner of the work, however late it comes', async () => {
    const { takeError, taken } = owner();
    const late = new Promise<boolean>((resolve) => {
      attributeTo(takeError, () => setImmediate(() => resolve(isTakenOn(bug))));
    });
    expect(await late).to.equal(true);
    expect(taken).to.deep.equal([bug]);
  });

  it('is attributed to nobody outside any work', () => {
    expect(isTakenOn(bug)).to.equal(false);
  });

  it('is the process’s once its owner is over', () => {
    const { takeError } = owner({ over: true });
    expect(() => attributeTo(takeError, throwBug)).to.throw(bug);
    expect(() => guardedBy(takeError, throwBug)()).to.throw(bug);
  });

  it('does not leave the work or the listener that throws it', () => {
    const { takeError, taken } = owner();
    const emitter = new EventEmitter();
    emitAttributedTo(takeError, emitter);
    emitter.on('told', throwBug);
    attributeTo(takeError, throwBug);
    guardedBy(takeError, throwBug)();
    expect(emitter.emit('told')).to.equal(true);
    expect(taken).to.deep.equal([bug, bug, bug]);
  });

  it('is attributed to the owner of the emitter, whoever makes it emit', async () => {
    const { takeError, taken } = owner();
    const emitter = new EventEmitter();
    emitAttributedTo(takeError, emitter);
    const late = new Promise<boolean>((resolve) => {
      emitter.on('told', () => setImmediate(() => resolve(isTakenOn(bug))));
    });
    expect(emitter.emit('unheard')).to.equal(false);
    emitter.emit('told');
    expect(await late).to.equal(true);
    expect(taken).to.deep.equal([bug]);
  });
});
