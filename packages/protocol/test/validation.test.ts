import { expect } from 'chai';
import { errorLimits, Problem } from '#src/errors.js';
import { AgentInput } from '#src/schemas/agent.js';
import { validatorOf, withDefaults } from '#src/validation.js';

const validate = validatorOf(AgentInput);
const errorsOf = (data: unknown) => {
  const result = validate(data);
  return result.ok ? [] : result.errors;
};

/** The same list, and how often something in it was looked at. */
function counted(list: unknown[]): { list: unknown[]; looks: () => number } {
  let looks = 0;
  const get = (target: unknown[], name: string | symbol): unknown => {
    looks += 1;
    return Reflect.get(target, name);
  };
  return { list: new Proxy(list, { get }), looks: () => looks };
}

describe('validatorOf', () => {
  it('names everything that is wrong with an ordinary body', () => {
    expect(errorsOf({ name: 1, voice: 2, nonsense: 3 }).map(({ path }) => path)).to.have.members([
      '/name',
      '/voice',
      '/nonsense',
    ]);
  });

  it('names no more errors than an answer tells', () => {
    const tools = Array.from({ length: 100 }, () => 1);
    expect(errorsOf({ name: 'A', tools })).to.have.length(errorLimits.count);
  });

  it('stops at the first error of a body with a great many values', () => {
    const { list: tools, looks } = counted(Array.from({ length: 100_000 }, () => 1));
    expect(errorsOf({ name: 'A', tools })).to.have.length(1);
    expect(looks()).to.be.below(100);
  });
});

describe('a problem', () => {
  it('tells a bounded part of what is wrong, in bounded words', () => {
    const endless = { path: `/${'p'.repeat(100_000)}`, message: 'm'.repeat(100_000) };
    const { errors } = new Problem('body-invalid', 'No.', { errors: Array(1000).fill(endless) });
    expect(errors).to.have.length(errorLimits.count);
    expect(JSON.stringify(errors).length).to.be.below(errorLimits.count * 1000);
  });
});

describe('withDefaults', () => {
  it('fills in what is missing, and neither changes nor shares anything', () => {
    const input = { name: 'A', voice: 'sage', icon: undefined } as { name: string };
    const filled = withDefaults(AgentInput, input);
    expect(filled).to.include({ name: 'A', voice: 'sage', icon: null, realtimeEnabled: true });
    expect(input).to.have.all.keys('name', 'voice', 'icon');
    filled.tools?.push({ kind: 'builtin', name: 'tasks' } as never);
    expect(withDefaults(AgentInput, input).tools).to.deep.equal([]);
  });
});
