import { expect } from 'chai';
import { answer, newRun, type AnswerPorts, type OpenCall } from '#src/index.js';
import { openCall } from '#src/calls/call.js';
import { CallCancelled, SessionMoved, ToolTimedOut } from '#src/calls/run-tool.js';
import { RunLost } from '#src/questions/lease.js';
import { RunBudget, type BudgetLimits } from '#src/questions/run-budget.js';

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

  ports(limits: Partial<BudgetLimits> = {}, leads = true): AnswerPorts {
    const ample = { modelCalls: 1000, toolCalls: 1000, milliseconds: 600_000 };
    return {
      budget: new RunBudget({ ...ample, ...limits }),
      leads,
      instructions: '',
      toolbox: {
        declarations: [{ name: 't', description: 'Does.' }],
        newCall: openCall,
        advance: (call) => {
          if (call.state === 'finished') return Promise.resolve(call);
          this.advanced.push(call);
          const outcome = { status: 'succeeded', output: 'ok', text: 'ok' } as const;
          return Promise.resolve({ ...call, state: 'finished', outcome });
        },
      },
      complete: ({ messages, tools }) => {
        this.rounds += 1;
        if (tools.length === 0) {
          const text = `As told: ${messages[0]?.content ?? ''}`;
          return Promise.resolve({ ok: true, text, toolCalls: [], usage });
        }
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
    expect(outputs[16]!.content).to.equal('Not run. At most 16 calls are made at once.');
  });

  const question = newRun([{ role: 'user', content: 'hello' }], 0);

  it('asks the model once more without tools when the budget is used up, and says so', async () => {
    const model = new Restless(1);
    const run = await answer(question, model.ports({ modelCalls: 4 }), never);
    expect(run.state).to.equal('answered');
    expect(run.answer).to.match(/^As told: The budget of this question is used up\./);
    expect(model).to.include({ rounds: 4 });
    expect(run.spent).to.include({ modelCalls: 4, toolCalls: 3 });
  });

  it('lets an agent that was asked by another fail instead', async () => {
    const model = new Restless(1);
    const run = await answer(question, model.ports({ modelCalls: 4 }, false), never);
    expect(run).to.include({ state: 'failed', answer: 'The budget of this question is used up.' });
    expect(model).to.include({ rounds: 3 });
  });

  it('tells the model which calls were not run for want of a budget', async () => {
    const model = new Restless(3);
    const run = await answer(question, model.ports({ toolCalls: 4 }), never);
    const outputs = run.messages.flatMap((said) => (said.role === 'tool' ? [said.content] : []));
    expect(model.advanced).to.have.length(4);
    expect(outputs.slice(0, 4)).to.deep.equal(Array(4).fill('ok'));
    expect(outputs[4]).to.equal('Not run. The budget of this question is used up.');
  });

  it('goes on with what is left of the budget of a run that was stored', async () => {
    const model = new Restless(1);
    const spent = { modelCalls: 2, toolCalls: 0, milliseconds: 0 };
    const run = await answer({ ...question, spent }, model.ports({ modelCalls: 4 }), never);
    expect(run.state).to.equal('answered');
    expect(model).to.include({ rounds: 2 });
  });

  describe('that is stopped while a call waits for approval', () => {
    const asked = { deadline: '2030-01-31T10:00:00.000Z', approvers: ['api'] } as const;
    /** How often the call is advanced, if the signal fires while the first time is under way. */
    const stop = async (reason: Error) => {
      const stopping = new AbortController();
      let advanced = 0;
      const { toolbox, ...ports } = new Restless(1).ports();
      const advance = (call: OpenCall, signal: AbortSignal): Promise<OpenCall> => {
        expect(signal.aborted).to.equal(advanced > 0);
        advanced += 1;
        stopping.abort(reason);
        return Promise.resolve({ ...call, state: 'waiting', ...asked });
      };
      const answering = answer(
        question,
        { ...ports, toolbox: { ...toolbox, advance } },
        stopping.signal,
      );
      expect(await answering.catch((error: unknown) => error)).to.equal(reason);
      return advanced;
    };

    for (const reason of [new ToolTimedOut(), new CallCancelled()])
      it(`has it withdrawn (${reason.constructor.name})`, async () => {
        expect(await stop(reason)).to.equal(2);
      });

    for (const reason of [new RunLost(), new SessionMoved(), new Error('session ended')])
      it(`leaves it to whoever goes on or ends (${reason.constructor.name})`, async () => {
        expect(await stop(reason)).to.equal(1);
      });
  });

  describe('with tools that the caller brought along', () => {
    const tools = [{ name: 'mine', description: 'Does it there.' }];
    const given = { instructions: 'Be brief.', tools };
    const asked = newRun([{ role: 'user', content: 'hello' }], 5, given);
    const called = (...names: string[]) =>
      names.map((name, n) => ({ callId: `c${n}`, name, arguments: '{}' }));
    const calling = (...names: string[]): AnswerPorts => ({
      ...new Restless(0).ports(),
      instructions: 'Be kind.',
      complete: (request) => {
        seen.push(request);
        const toolCalls = called(...names);
        return Promise.resolve({ ok: true, text: 'Look.', toolCalls, usage });
      },
    });
    const seen: Parameters<AnswerPorts['complete']>[0][] = [];
    beforeEach(() => void (seen.length = 0));

    it('ends where one of them is called', async () => {
      const run = await answer(asked, calling('mine'), never);
      expect(run).to.include({ state: 'answered', answer: 'Look.', position: 5 });
      expect(run.handed).to.deep.equal(called('mine'));
      expect(seen).to.have.length(1);
      expect(seen[0]!.messages[0]).to.include({ content: 'Be kind.\n\nBe brief.' });
      expect(seen[0]!.tools.map(({ name }) => name)).to.deep.equal(['t', 'mine']);
    });

    it('finishes the agent’s own calls of that round first', async () => {
      const run = await answer(asked, calling('t', 'mine', 't'), never);
      expect(run).to.include({ state: 'answered', position: 7 });
      expect(run.handed?.map(({ callId }) => callId)).to.deep.equal(['c1']);
      const outputs = run.messages.filter(({ role }) => role === 'tool');
      expect(outputs).to.deep.equal([
        { role: 'tool', callId: 'c0', content: 'ok' },
        { role: 'tool', callId: 'c2', content: 'ok' },
      ]);
    });

    it('spends nothing of the budget of tool calls on them', async () => {
      const ports = {
        ...calling('mine'),
        budget: new RunBudget({ modelCalls: 9, toolCalls: 0, milliseconds: 9000 }),
      };
      const run = await answer(asked, ports, never);
      expect(run).to.include({ state: 'answered' });
      expect(run.handed).to.have.length(1);
    });
  });
});
