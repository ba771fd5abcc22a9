import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import {
  acknowledged,
  canReturn,
  countHeard,
  detached,
  givenUp,
  objectionTo,
  offered,
  openContinuity,
  resumed,
  sent,
  type Continuity,
} from '#src/core/continuity.js';
import type { Frame } from '#src/core/session.js';
import { LossyCall } from './lossy-call.js';

const frame = (data: string): Frame => ({ data, binary: false });
const send = (continuity: Continuity, count: number): Continuity =>
  Array.from({ length: count }, (_, n) => frame(`${n}`)).reduce(sent, continuity);
const returning = (received: number) => ({ hash: 'first', received });
const open = (count = 0) => send(offered(openContinuity(1e6), 'first'), count);

describe('a client and its session, over connections that break', () => {
  it('hear each other’s every message once, in order, and only on one leg at a time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99), { minLength: 10, maxLength: 60 }), (choices) => {
        const call = new LossyCall();
        for (const choice of choices) call.act(choice);
        call.heal();
        expect(call.clientGot).to.deep.equal(call.serviceSaid);
        expect(call.serviceGot).to.deep.equal(call.clientSaid);
        expect(call.faults).to.deep.equal([]);
      }),
      fuzz(10_000),
    );
  });

  it('do lose and meet everything that could go wrong in these calls', () => {
    const seen = new Map<string, number>();
    const whole = fc.array(fc.nat(99), { minLength: 60, maxLength: 60 });
    for (const choices of fc.sample(whole, { seed: 1, numRuns: 500 })) {
      const call = new LossyCall();
      for (const choice of choices) call.act(choice);
      for (const [name, count] of call.seen) seen.set(name, (seen.get(name) ?? 0) + count);
    }
    expect([...seen.keys()].sort()).to.deep.equal(
      [
        'acknowledged',
        'cut',
        'lost',
        'refused',
        'replayed',
        'resumed',
        'stale',
        'taken over',
      ].sort(),
    );
  });
});

describe('what is kept for a client', () => {
  it('is everything that it has not acknowledged', () => {
    const some = acknowledged(open(5), 3)!;
    expect(resumed(some, returning(3)).missed).to.deep.equal([frame('3'), frame('4')]);
    expect(resumed(some, returning(4)).missed).to.deep.equal([frame('4')]);
    expect(resumed(some, returning(5)).missed).to.deep.equal([]);
  });

  it('is not changed by an acknowledgement that is late or repeated', () => {
    const some = acknowledged(open(5), 3)!;
    for (const received of [0, 2, 3]) expect(acknowledged(some, received)).to.equal(some);
  });

  it('is not changed by an acknowledgement of what was never sent', () => {
    for (const received of [6, Number.MAX_SAFE_INTEGER])
      expect(acknowledged(open(5), received)).to.equal(undefined);
  });

  it('fits the budget, or the session can no longer be resumed and keeps nothing', () => {
    const full = send(offered(openContinuity(505), 'first'), 5);
    expect([full.kept.count, full.kept.bytes, full.resumable]).to.deep.equal([5, 505, true]);
    const over = sent(full, frame('x'));
    expect([over.kept.count, over.resumable, over.sent]).to.deep.equal([0, false, 6]);
    expect(canReturn(over)).to.equal(false);
    expect(objectionTo(over, { hash: 'first', received: 6 })).to.equal('unknown');
    expect(sent(over, frame('x')).kept.count).to.equal(0);
  });
});

describe('a path', () => {
  const leg = (continuity: Continuity) => ({ leg: continuity.leg!, counts: true });

  it('of the session before this one brings everything, whatever was counted there', () => {
    const restored = send(offered(openContinuity(1e6, 'former'), 'first'), 2);
    for (const received of [0, 1, 2, 500]) {
      const client = { hash: 'former', received };
      expect(objectionTo(restored, client)).to.equal(undefined);
      expect(resumed(restored, client).missed).to.deep.equal([frame('0'), frame('1')]);
    }
    expect(objectionTo(restored, { hash: 'first', received: 500 })).to.equal('received too many');
    const again = resumed(restored, { hash: 'former', received: 9 }).continuity;
    expect(objectionTo(again, { hash: 'former', received: 9 })).to.equal(undefined);
    const spoken = countHeard(offered(again, 'second'), leg(again))!;
    for (const hash of ['former', 'first'])
      expect(objectionTo(spoken, { hash, received: 0 })).to.equal('spent');
  });

  it('may be opened again until the client speaks on the connection that it opened', () => {
    const again = offered(resumed(open(), returning(0)).continuity, 'second');
    for (const hash of ['first', 'second'])
      expect(objectionTo(again, { hash, received: 0 })).to.equal(undefined);
    const spoken = countHeard(again, leg(again))!;
    expect(objectionTo(spoken, { hash: 'first', received: 0 })).to.equal('spent');
    expect(objectionTo(spoken, { hash: 'second', received: 0 })).to.equal(undefined);
  });

  it('is spent by an acknowledgement, too, which does not count as a message', () => {
    const again = offered(resumed(open(), returning(0)).continuity, 'second');
    const spoken = countHeard(again, { leg: again.leg!, counts: false })!;
    expect(objectionTo(spoken, { hash: 'first', received: 0 })).to.equal('spent');
    expect(spoken.heard).to.equal(0);
  });

  it('is forgotten after many others, and none are remembered without end', () => {
    let continuity = open();
    for (let n = 0; n < 100; n += 1) continuity = offered(continuity, `later ${n}`);
    expect(objectionTo(continuity, { hash: 'first', received: 0 })).to.equal('unknown');
    expect(continuity.paths).to.have.length(16);
  });

  it('is remembered for as long as it is used, whatever else was offered meanwhile', () => {
    let continuity = open();
    for (let n = 0; n < 100; n += 1)
      continuity = offered(resumed(continuity, returning(0)).continuity, `later ${n}`);
    expect(objectionTo(continuity, returning(0))).to.equal(undefined);
    expect(continuity.paths).to.have.length(16);
  });

  it('leads nowhere for a client that lies about what it has received', () => {
    const some = acknowledged(open(5), 3)!;
    const objection = (received: number) => objectionTo(some, { hash: 'first', received });
    expect(objection(2)).to.equal('received too few');
    expect(objection(3)).to.equal(undefined);
    expect(objection(5)).to.equal(undefined);
    expect(objection(6)).to.equal('received too many');
    expect(objection(Number.MAX_SAFE_INTEGER)).to.equal('received too many');
  });

  it('leads nowhere if it is another session’s, or the session was given up', () => {
    expect(objectionTo(open(), { hash: 'other', received: 0 })).to.equal('unknown');
    expect(objectionTo(givenUp(open()), { hash: 'first', received: 0 })).to.equal('unknown');
  });
});

describe('a leg', () => {
  it('is not heard once another has taken over, nor is its end', () => {
    const first = open();
    const { continuity } = resumed(first, returning(0));
    expect(countHeard(continuity, { leg: first.leg!, counts: true })).to.equal(undefined);
    expect(detached(continuity, first.leg!)).to.equal(continuity);
    expect(detached(continuity, continuity.leg!).leg).to.equal(undefined);
  });

  it('cannot be replaced before a path was offered', () => {
    expect(canReturn(openContinuity(1e6))).to.equal(false);
    expect(canReturn(open())).to.equal(true);
  });
});
