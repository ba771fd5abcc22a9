import { expect } from 'chai';
import fc from 'fast-check';
import { fromNearerEnd } from '#src/postgres/page.js';

describe('fromNearerEnd', () => {
  it('selects the same rows from either end', () => {
    const naturals = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        naturals(60),
        naturals(80),
        fc.integer({ min: 1, max: 20 }),
        (total, offset, limit) => {
          const list = Array.from({ length: total }, (_, i) => i);
          const page = fromNearerEnd({ offset, limit }, total);
          const walked = page.direction === 'asc' ? list : list.toReversed();
          const found = walked.slice(page.offset, page.offset + page.limit).sort((a, b) => a - b);
          expect(found).to.deep.equal(list.slice(offset, offset + limit));
        },
      ),
    );
  });

  it('never walks past the middle of the list', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 0, max: 1000 }),
        (total, offset) => {
          expect(fromNearerEnd({ offset, limit: 10 }, total).offset).to.be.at.most(
            Math.ceil(total / 2),
          );
        },
      ),
    );
  });
});
