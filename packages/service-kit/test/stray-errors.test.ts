import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import { atTheCostOf, borneBy, emitAtTheCostOf, isBorne, type Bearer } from '#src/stray-errors.js';

function bearer({ over = false } = {}) {
  const borne: unknown[] = [];
  const bear: Bearer = (error) => !over && borne.push(error) > 0;
  return { bear, borne };
}

const bug = new Error('bug');
const throwBug = () => {
  throw bug;
};

describe('an error that nobody catches', () => {
  it('is borne by whose work it is, however late it comes', async () => {
    const { bear, borne } = bearer();
    const late = new Promise<boolean>((resolve) => {
      atTheCostOf(bear, () => setImmediate(() => resolve(isBorne(bug))));
    });
    expect(await late).to.equal(true);
    expect(borne).to.deep.equal([bug]);
  });

  it('is borne by nobody outside any work', () => {
    expect(isBorne(bug)).to.equal(false);
  });

  it('is the process’s once its bearer is over', () => {
    const { bear } = bearer({ over: true });
    expect(() => atTheCostOf(bear, throwBug)).to.throw(bug);
    expect(() => borneBy(bear, throwBug)()).to.throw(bug);
  });

  it('does not leave the work or the listener that throws it', () => {
    const { bear, borne } = bearer();
    const emitter = new EventEmitter();
    emitAtTheCostOf(bear, emitter);
    emitter.on('told', throwBug);
    atTheCostOf(bear, throwBug);
    borneBy(bear, throwBug)();
    expect(emitter.emit('told')).to.equal(true);
    expect(borne).to.deep.equal([bug, bug, bug]);
  });

  it('is borne for what a listener starts, although another made the emitter speak', async () => {
    const { bear, borne } = bearer();
    const emitter = new EventEmitter();
    emitAtTheCostOf(bear, emitter);
    const late = new Promise<boolean>((resolve) => {
      emitter.on('told', () => setImmediate(() => resolve(isBorne(bug))));
    });
    expect(emitter.emit('unheard')).to.equal(false);
    emitter.emit('told');
    expect(await late).to.equal(true);
    expect(borne).to.deep.equal([bug]);
  });
});
