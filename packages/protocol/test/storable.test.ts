import { expect } from 'chai';
import fc from 'fast-check';
import { hasBadCharacter, storable } from '#src/storable.js';

describe('a text that is stored', () => {
  it('loses NUL, and has a mark for half of a character', () => {
    for (const [text, kept] of [
      ['a\0b\0', 'ab'],
      ['\uD83Dx', '\uFFFDx'],
      ['x\uDE00', 'x\uFFFD'],
      ['\uD83D\0\uDE00', '😀'],
      ['\uDE00\uD83D', '\uFFFD\uFFFD'],
    ] as const)
      expect(storable(text)).to.equal(kept);
  });

  it('is left as it is otherwise, and has nothing left to refuse', () => {
    fc.assert(
      fc.property(fc.string({ unit: halves }), (text) => {
        const kept = storable(text);
        expect(hasBadCharacter(kept)).to.equal(false);
        if (!hasBadCharacter(text)) expect(kept).to.equal(text);
      }),
    );
  });
});

const halves = fc.constantFrom('\0', '\uD83D', '\uDE00', 'a', '😀');
