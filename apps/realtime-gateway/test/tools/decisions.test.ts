import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Alarm } from '@parley/approvals';
import { waitFor } from '@parley/testkit';
import { Decisions } from '#src/tools/decisions.js';

const never = 1_000_000;
const hour = 3_600_000;
const user = { kind: 'session', id: randomUUID(), name: 'end user' } as const;
const organizationId = randomUUID();

describe('waiting for decisions', () => {
  let decisions: Decisions;
  /** What still waits, and for how long. */
  let record: Map<string, number>;
  let reads: string[][];
  let alarms: string[];
  let ring: (id: string) => Promise<Alarm>;
  let read: () => Promise<void>;
  let woken: string[];
  let errors: unknown[];

  beforeEach(() => {
    record = new Map();
    [reads, alarms, woken, errors] = [[], [], [], []];
    read = () => Promise.resolve();
    ring = (id) => {
      record.delete(id);
      return Promise.resolve({ outcome: 'settled' });
    };
    decisions = new Decisions({
      approvals: {
        decide: ({ id }) => Promise.resolve(record.delete(id)),
        expire(id) {
          alarms.push(id);
          return ring(id);
        },
      },
      async waitingAmong(ids) {
        reads.push([...ids]);
        await read();
        return ids.flatMap((id) => {
          const remainingMs = record.get(id);
          return remainingMs === undefined ? [] : [{ id, remainingMs }];
        });
      },
      onError: (error) => errors.push(error),
      rereadMs: never,
    });
  });
  afterEach(() => decisions.close());

  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const watch = async (id: string, remainingMs = hour) => {
    record.set(id, remainingMs);
    decisions.watch(id, () => woken.push(id));
    await settled();
  };
  const isWoken = (id: string) => waitFor(() => woken.includes(id), { what: 'the decision' });

  it('calls back when a hint says that somebody decided, once', async () => {
    await watch('a');
    record.delete('a');
    expect(woken).to.be.empty;
    decisions.look('a');
    decisions.look('a');
    await settled();
    decisions.look('a');
    await settled();
    expect(woken).to.deep.equal(['a']);
    expect(decisions.waiting).to.equal(0);
  });

  it('finds a decision of which no hint came', async () => {
    await watch('a');
    record.delete('a');
    decisions.reread();
    await settled();
    expect(woken).to.deep.equal(['a']);
  });

  it('finds a decision that was made before anybody waited', async () => {
    decisions.watch('a', () => woken.push('a'));
    await settled();
    expect(woken).to.deep.equal(['a']);
  });

  it('reads once for all that were asked for meanwhile, and never twice at a time', async () => {
    let answer: () => void = () => undefined;
    read = () => new Promise((resolve) => (answer = resolve));
    await watch('a');
    await watch('b');
    await watch('c');
    expect(reads).to.deep.equal([['a']]);
    record.delete('b');
    answer();
    await settled();
    expect(reads).to.deep.equal([['a'], ['b', 'c']]);
    answer();
    await settled();
    expect(woken).to.deep.equal(['b']);
  });

  it('lets an approval expire at its deadline', async () => {
    await watch('a', 5);
    await isWoken('a');
    expect(alarms).to.deep.equal(['a']);
  });

  it('rings again when the alarm was early, or PostgreSQL away', async () => {
    const rings: (() => Promise<Alarm>)[] = [
      () => Promise.resolve({ outcome: 'early', remainingMs: 1 }),
      () => Promise.reject(new Error('PostgreSQL is away')),
      () => Promise.resolve({ outcome: 'settled' }),
    ];
    ring = () => rings.shift()!();
    await watch('a', 0);
    await isWoken('a');
    expect(alarms).to.deep.equal(['a', 'a', 'a']);
    expect(errors.map(String)).to.deep.equal(['Error: PostgreSQL is away']);
  });

  it('decides, calls back, and decides once', async () => {
    await watch('a');
    const call = { id: 'a', organizationId };
    expect(await decisions.decide(call, 'approved', user)).to.equal(true);
    expect(woken).to.deep.equal(['a']);
    expect(await decisions.decide(call, 'rejected', user)).to.equal(false);
  });

  it('asks nobody about approvals that nobody waits for', async () => {
    decisions.look('a');
    await watch('b');
    decisions.unwatch('b');
    decisions.look('b');
    decisions.reread();
    await settled();
    expect(reads).to.deep.equal([['b']]);
    expect(decisions.waiting).to.equal(0);
  });

  it('goes on when PostgreSQL does', async () => {
    read = () => Promise.reject(new Error('PostgreSQL is away'));
    await watch('a');
    expect(errors).to.have.length(1);
    record.delete('a');
    read = () => Promise.resolve();
    decisions.reread();
    await settled();
    expect(woken).to.deep.equal(['a']);
  });
});
