import { expect } from 'chai';
import { findProgram } from '#src/index.js';
import { runChildMocha } from './child-mocha.js';

describe('a suite that needs a program', () => {
  it('is skipped with its hooks and a loud line where the program is missing', async () => {
    const { code, output } = await runChildMocha('needs-programs', {}).ended;
    expect(code, output).to.equal(0);
    expect(output).to.contain(
      '*** SKIPPED: "a suite for a missing program" needs a program, which is not installed ***',
    );
    expect(output.match(/RAN .*/g)).to.deep.equal(['RAN it']);
    expect(output).to.contain('1 passed, 0 failed, 2 skipped');
  });

  it('fails there when CI=true, and still runs no hook', async () => {
    const { code, output } = await runChildMocha('needs-programs', { CI: 'true' }).ended;
    expect(code, output).to.equal(1);
    expect(output).to.contain(
      'Error: "a suite for a missing program" needs a program, which is not installed',
    );
    expect(output.match(/RAN .*/g)).to.deep.equal(['RAN it']);
    expect(output).to.contain('1 passed, 1 failed, 2 skipped');
  });

  it('has to say so before it has hooks', async () => {
    const { code, output } = await runChildMocha('late-needs', {}).ended;
    expect(code).to.equal(1);
    expect(output).to.contain('needs() comes first in "a suite that says late what it needs"');
  });

  it('is told by the summary how to install what is missing', async () => {
    const bare = { PATH: '/nowhere', TESTKIT_PATH_ONLY: 'true' };
    const { output } = await runChildMocha('needs-programs', bare).ended;
    expect(output).to.contain('helm, which is not installed');
    expect(output).to.contain('one command installs all of it: .ci/tools');
  });

  it('finds a program on the PATH and says when there is none', () => {
    expect(findProgram('node')).to.match(/\/node$/);
    expect(findProgram('no-such-program')).to.equal(undefined);
  });
});
