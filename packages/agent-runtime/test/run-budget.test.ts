import { expect } from 'chai';
import { RunBudget } from '#src/questions/run-budget.js';

describe('the budget of a run', () => {
  const limits = { modelCalls: 3, toolCalls: 2, milliseconds: 1000 };

  it('keeps the last model call for the agent that leads', () => {
    const budget = new RunBudget(limits, () => 0);
    const asked = [false, false, false, true].map((leads) => budget.takeModelCall(leads));
    expect(asked).to.deep.equal(['yes', 'yes', 'no', 'last']);
    expect(budget.spent).to.include({ modelCalls: 3 });
  });

  it('grants so many tool calls', () => {
    const budget = new RunBudget(limits, () => 0);
    const granted = [1, 2, 3].map(() => budget.takeToolCall());
    expect(granted).to.deep.equal([true, true, false]);
  });

  it('ends with its time', () => {
    let now = 0;
    const budget = new RunBudget(limits, () => now);
    now = 1000;
    expect(budget.takeToolCall()).to.equal(false);
    expect(budget.takeModelCall(false)).to.equal('no');
    expect(budget.takeModelCall(true)).to.equal('last');
  });

  it('goes on where it was left, without the time between', () => {
    let now = 5000;
    const budget = new RunBudget(limits, () => now);
    budget.resume({ modelCalls: 2, toolCalls: 1, milliseconds: 400 });
    now = 5100;
    expect(budget.spent).to.deep.equal({ modelCalls: 2, toolCalls: 1, milliseconds: 500 });
    budget.resume({ modelCalls: 1, toolCalls: 2, milliseconds: 100 });
    expect(budget.spent).to.deep.equal({ modelCalls: 2, toolCalls: 2, milliseconds: 500 });
    budget.resume(undefined);
    expect(budget.takeModelCall(false)).to.equal('no');
  });
});
