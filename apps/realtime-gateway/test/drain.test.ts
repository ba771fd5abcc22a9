import { expect } from 'chai';
import { drainSessions } from '#src/drain.js';

describe('draining', () => {
  const options = { timeoutMs: 40, random: () => 0.5 };

  it('closes what is left in ten batches, one after the other', async () => {
    const sizes: number[] = [];
    let batch = 0;
    let left = 30;
    let end: () => void = () => undefined;
    const empty = new Promise<void>((resolve) => (end = resolve));
    const session = {
      drain() {
        if (sizes[batch] === undefined) queueMicrotask(() => (batch += 1));
        sizes[batch] = (sizes[batch] ?? 0) + 1;
        if (--left === 0) end();
      },
    };
    await drainSessions({ ...options, empty, sessions: () => Array(30).fill(session) as never });
    expect(sizes).to.deep.equal(Array(10).fill(3));
  });

  it('closes nothing when all leave by themselves', async () => {
    let asked = 0;
    const sessions = () => ((asked += 1), []);
    await drainSessions({ ...options, empty: Promise.resolve(), sessions });
    expect(asked).to.equal(0);
  });

  it('stops closing as soon as nobody is left', async () => {
    let closed = 0;
    let end: () => void = () => undefined;
    const empty = new Promise<void>((resolve) => (end = resolve));
    const session = {
      drain() {
        closed += 1;
        end();
      },
    };
    await drainSessions({ ...options, empty, sessions: () => Array(20).fill(session) as never });
    expect(closed).to.equal(2);
  });
});
