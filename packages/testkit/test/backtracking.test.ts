import { Linter } from 'eslint';
import { expect } from 'chai';

const configPath = new URL('../../../eslint.config.js', import.meta.url).href;

describe('the rules against expressions that backtrack', () => {
  let problemsOf: (code: string) => (string | null)[];
  before(async () => {
    const { default: configs } = (await import(configPath)) as { default: Linter.Config[] };
    const { plugins, rules = {} } = configs.find((each) => each.rules?.['redos/no-vulnerable'])!;
    const own = Object.entries(rules).filter(([name]) => /^(redos|regexp)\//.test(name));
    const linter = new Linter();
    problemsOf = (code) =>
      linter
        .verify(code, { plugins: plugins!, rules: Object.fromEntries(own) })
        .map(({ ruleId }) => ruleId);
  });

  it('both refuse one that takes exponential time', () => {
    expect(problemsOf('/^(a+)+$/.test(text)')).to.have.members([
      'redos/no-vulnerable',
      'regexp/no-super-linear-backtracking',
    ]);
  });

  it('refuse one that takes exponential time through its alternatives', () => {
    expect(problemsOf('/^(a|a)*$/.test(text)')).to.deep.equal(['redos/no-vulnerable']);
  });

  it('let one through that takes linear time', () => {
    expect(problemsOf('/^(?:a|b)+$/.test(text)')).to.deep.equal([]);
  });
});
