import { expect } from 'chai';
import { storableName } from '#src/files/file-name.js';

describe('the name of a file', () => {
  const names: [sent: string, kept: string][] = [
    ['report.pdf', 'report.pdf'],
    ['../a/b\\c.txt', 'c.txt'],
    [' a\u0000\u001B[31m\u007F\u202Eb \n', 'a[31mb'],
    ['half \uD83D', 'half'],
    [`${'n'.repeat(254)}👋`, 'n'.repeat(254)],
    ['...', 'file'],
    ['/', 'file'],
  ];
  for (const [sent, kept] of names)
    it(`is ${JSON.stringify(kept.slice(0, 20))} for ${JSON.stringify(sent.slice(0, 20))}`, () => {
      expect(storableName(sent)).to.equal(kept);
    });
});
