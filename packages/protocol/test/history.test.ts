import { expect } from 'chai';
import { heardPart, withinBudget, type PastItem } from '#src/history.js';

describe('what a model is told of the past', () => {
  const past: PastItem[] = [
    { kind: 'message', role: 'user', content: 'one' },
    { kind: 'call', callId: 'c', name: 'f', arguments: '{}', output: '1' },
    { kind: 'message', role: 'assistant', content: 'three' },
  ];
  const budgets: [messages: number, characters: number, kept: number][] = [
    [50, 100, 3],
    [2, 100, 2],
    [0, 100, 0],
    [50, 9, 2],
    [50, 8, 1],
    [50, 4, 0],
  ];
  for (const [messages, characters, kept] of budgets)
    it(`keeps the newest ${kept} within ${messages} messages and ${characters} characters`, () => {
      const within = withinBudget(past, { messages, characters });
      expect(within).to.deep.equal(past.slice(past.length - kept));
    });
});

describe('the heard part of an interrupted answer', () => {
  const content = 'Berlin is the capital of Germany, and its largest city.';

  it('ends with a whole word', () => {
    expect(heardPart(content, 500)).to.equal('Berlin is …');
  });

  it('is everything after long enough, and nothing at once', () => {
    expect(heardPart(content, 60_000)).to.equal(content);
    expect(heardPart(content, 0)).to.equal('');
    expect(heardPart('Unbelievably', 100)).to.equal('');
  });
});
