import { expect } from 'chai';
import { findProgram } from '#src/index.js';
import { runChildMocha } from './child-mocha.js';

describe('a suite that needs a program', () => {
  it('is skipped with a loud line where the program is missing', async () => {
    const { code, output } = await runChildMocha('needs-programs', {}).ended;
    expect(code, output).to.equal(0);
    expect(output).to.contain(
      '*** SKIPPED: "a suite for a missing program" needs no-such-program, which is not installed ***',
    );
    expect(output).to.contain('1 passing').and.to.contain('1 pending');
    expect(output.split('RAN')).to.have.length(2);
  });

  it('fails there when CI=true', async () => {
    const { code, output } = await runChildMocha('needs-programs', { CI: 'true' }).ended;
    expect(code).to.equal(1);
    expect(output).to.contain(
      'no-such-program is not installed; "a suite for a missing program" needs it',
    );
    expect(output).to.contain('1 passing').and.to.contain('1 failing');
  });

  it('finds a program on the PATH and says when there is none', async () => {
    expect(await findProgram('node')).to.match(/\/node$/);
    expect(await findProgram('no-such-program')).to.equal(undefined);
  });
});
