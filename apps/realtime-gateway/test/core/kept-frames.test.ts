import { expect } from 'chai';
import fc from 'fast-check';
import { costOf, framesIn, noFrames, withFrame, withoutOldest } from '#src/core/kept-frames.js';
import type { Frame } from '#src/core/session.js';

const frameOf = (n: number): Frame => ({ data: 'x'.repeat(n), binary: false });

describe('kept frames', () => {
  it('are what a plain list would have, in the same order and of the same size', () => {
    const change = fc.record({ add: fc.nat(20), drop: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        let kept = noFrames;
        let list: Frame[] = [];
        for (const { add, drop } of changes) {
          const frame = frameOf(add);
          kept = withoutOldest(withFrame(kept, frame), drop);
          list = [...list, frame].slice(drop);
          expect(kept.count).to.equal(list.length);
          expect(kept.bytes).to.equal(list.reduce((sum, each) => sum + costOf(each), 0));
        }
        const frames = framesIn(kept);
        expect(
          frames.length === list.length && frames.every((each, n) => each === list[n]),
        ).to.equal(true);
      }),
    );
  });

  it('cost no more the more there are, and let go of what was dropped', () => {
    let kept = noFrames;
    for (let n = 0; n < 50_000; n += 1) {
      kept = withFrame(kept, frameOf(1));
      if (n >= 1000) kept = withoutOldest(kept, 1);
    }
    expect(kept.count).to.equal(1000);
    expect(kept.older.length).to.be.lessThan(2002);
  });
});
