import { expect } from 'chai';
import { answer, newRun, type AnswerPorts, type OpenCall } from '#src/index.js';
import { openCall } from '#src/call.js';

const usage = { id: 'u', model: 'm', inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
const never = new AbortController().signal;

/** A model that makes so many calls in each round, for ever. */
class Restless {
  readonly advanced: OpenCall[] = [];
  rounds = 0;
  usages = 0;
  readonly #calls: number;

  constructor(calls: number) {
    this.#calls = calls;
  }

  ports(): AnswerPorts {
    return {
      instructions: '',
      toolbox: {
        declarations: [],
        newCall: openCall,
        advance: (call) => {
          if (call.state === 'finished') return Promise.resolve(call);
          this.advanced.push(call);
          const outcome = { status: 1, output: 'ok', text: 'ok' } as const;
          return Promise.resolve({ ...call, state: 'finished', outcome });
        },
      },
      complete: () => {
        this.rounds += 1;
        const call = (n: number) => ({
          callId: `c${this.rounds}_${n}`,
          name: 't',
          arguments: '{}',
        });
        const toolCalls = Array.from({ length: this.#calls }, (_, n) => call(n));
        return Promise.resolve({ ok: true, text: '', toolCalls, usage });
      },
      onUsage: () => {
        this.usages += 1;
        return Promise.resolve();
      },
    };
  }
}

describe('answer', () => {
  it('gives a model that calls tools for ever ten rounds', async () => {
    const model = new Restless(1);
    const run = await answer(newRun([{ role: 'user', content: 'hello' }], 5), model.ports(), never);
    expect(run).to.include({ state: 'failed', answer: 'No answer after 10 rounds of tool calls.' });
    expect(model).to.include({ rounds: 10, usages: 10 });
    expect(model.advanced.map(({ position }) => position)).to.deep.equal([
      ...[5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
    ]);
  });

  it('runs sixteen calls of a round, and answers the others', async () => {
    const model = new Restless(20);
    const run = await answer(newRun([{ role: 'user', content: 'hello' }], 0), model.ports(), never);
    expect(model.advanced).to.have.length(160);
    const outputs = run.messages.filter(({ role }) => role === 'tool').slice(0, 20);
    expect(outputs.map(({ content }) => content === 'ok')).to.deep.equal(
      Array.from({ length: 20 }, (_, n) => n < 16),
    );
    expect(outputs[16]!.content).to.equal('Not run: at most 16 calls are made at once.');
  });
});
