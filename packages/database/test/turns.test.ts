import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Turns, type TurnLimits } from '#src/postgres/turns.js';

/** Works that end when they are told to, and the order in which they began. */
class Desk {
  readonly begun: string[] = [];
  readonly #ends: (() => void)[] = [];
  readonly #turns: Turns;

  constructor(limits: Partial<TurnLimits>) {
    this.#turns = new Turns({ working: 1, workingEach: 1, waitingEach: 100, ...limits });
  }

  /** Resolves with whether the work was done. */
  async come(caller: string, work = caller): Promise<boolean> {
    const ended = await this.#turns.run(caller, () => {
      this.begun.push(work);
      return new Promise<void>((resolve) => this.#ends.push(resolve));
    });
    return ended !== undefined;
  }

  async endAll(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) await this.end();
  }

  /** Ends what began first. */
  async end(): Promise<void> {
    await settled();
    this.#ends.shift()?.();
    await settled();
  }
}

const settled = () => new Promise(setImmediate);

describe('turns', () => {
  it('go round, however many works one caller has queued', async () => {
    const desk = new Desk({});
    const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((caller) => desk.come(caller));
    await desk.endAll(all.length);
    expect(await Promise.all(all)).to.deep.equal(Array(7).fill(true));
    expect(desk.begun).to.deep.equal(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('leave places for others that one caller may not fill', async () => {
    const desk = new Desk({ working: 3, workingEach: 2 });
    const all = ['a', 'a', 'a', 'b'].map((caller) => desk.come(caller));
    await settled();
    expect(desk.begun).to.deep.equal(['a', 'a', 'b']);
    await desk.endAll(all.length);
    expect(await Promise.all(all)).to.deep.equal(Array(4).fill(true));
  });

  it('turn away what one caller queues beyond its bound, and nobody else', async () => {
    const desk = new Desk({ waitingEach: 1 });
    const all = ['a', 'a', 'a', 'b'].map((caller) => desk.come(caller));
    expect(await all[2]).to.equal(false);
    await desk.endAll(all.length);
    expect(await Promise.all(all)).to.deep.equal([true, true, false, true]);
  });

  it('turn away what has waited for too long, and go on with the rest', async () => {
    const desk = new Desk({ patienceMs: 1 });
    const first = desk.come('a');
    expect(await desk.come('b')).to.equal(false);
    await desk.end();
    expect(await first).to.equal(true);
    const later = desk.come('b');
    await desk.end();
    expect(await later).to.equal(true);
    expect(desk.begun).to.deep.equal(['a', 'b']);
  });

  it('remember nobody who was turned away', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const turns = new Turns({ working: 1, workingEach: 1, waitingEach: 0 });
    expect(turns.enter('first')).to.equal(true);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 100_000; n += 1)
      if (turns.enter(`caller ${n}`) !== false) expect.fail('was not turned away');
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).to.be.below(5_000_000);
    turns.leave('first');
    expect(turns.enter('second')).to.equal(true);
  });

  it('outlive work that fails', async () => {
    const turns = new Turns({ working: 1, workingEach: 1, waitingEach: 1 });
    const failure: unknown = await turns
      .run('a', () => Promise.reject(new Error('no')))
      .catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'no');
    expect(await turns.run('a', () => Promise.resolve(1))).to.deep.equal({ done: 1 });
  });
});
