import { expect } from 'chai';
import { runChildMocha } from './child-mocha.js';

describe('a run', () => {
  for (const [mode, ...flags] of [
    ['of one file after the other'],
    ['of files in parallel', '--parallel'],
  ] as const) {
    it(`${mode} fails for a test that asserts nothing`, async () => {
      const { code, output } = await runChildMocha('asserts-nothing', {}, ...flags).ended;
      expect(code, output).to.be.above(0);
      expect(output).to.contain('"a suite proves nothing" asserts nothing');
    });

    it(`${mode} tells the cause of a failure`, async () => {
      const { code, output } = await runChildMocha('fails-with-cause', {}, ...flags).ended;
      expect(code, output).to.be.above(0);
      expect(output).to.match(/Error: no answer.*Error: the other side closed/s);
    });

    it(`${mode} fails for a test that leaves something open, and names it`, async () => {
      const { code, output } = await runChildMocha(
        'leaves-open',
        { TESTKIT_PATIENCE_MS: '100' },
        ...flags,
      ).ended;
      expect(code, output).to.be.above(0);
      expect(output).to.contain('left something open: 1 TCPServerWrap');
    });
  }
});
