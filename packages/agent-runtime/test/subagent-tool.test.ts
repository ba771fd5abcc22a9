import { expect } from 'chai';
import { newRun, type Run } from '#src/index.js';
import { openCall } from '#src/calls/call.js';
import { runTool } from '#src/calls/run-tool.js';
import { bindSubagentTool, type SubagentPorts } from '#src/tools/subagent-tool.js';

type Agent = NonNullable<SubagentPorts['agent']>;
const agent = { id: 'bea', name: 'Bea', icon: 'star', iconColor: 'blue' } as Agent;
const never = new AbortController().signal;
const done = 'subagent.done';

describe('a sub-agent', () => {
  const told: string[] = [];
  beforeEach(() => (told.length = 0));

  const ask = (ports: Partial<SubagentPorts>, timeoutSeconds = 30, signal = never) => {
    const tool = bindSubagentTool(
      { kind: 'subagent', name: 'bea', agentId: 'bea', timeoutSeconds },
      {
        agent,
        ancestors: ['root'],
        emit: (event) => told.push((JSON.parse(event) as { type: string }).type),
        answer: (_id, run) => Promise.resolve<Run>({ ...run, state: 'answered', answer: 'Yes.' }),
        ...ports,
      },
    );
    const call = openCall({ callId: 'c', name: 'bea', arguments: '{}', position: 1 });
    return runTool(tool, { call, run: null, arguments: { question: 'Well?' }, signal });
  };
  /** Answers when it is told to stop, as a run does. */
  const endless: SubagentPorts['answer'] = (_id, _run, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });

  it('may be the third in a row, and not the fourth', async () => {
    const third = await ask({ ancestors: ['root', 'one', 'two'] });
    expect(third).to.deep.equal({
      kind: 'result',
      result: { status: 'succeeded', output: 'Yes.' },
    });
    told.length = 0;
    const fourth = await ask({ ancestors: ['root', 'one', 'two', 'three'] });
    expect(fourth)
      .to.deep.include({ kind: 'failed' })
      .and.have.property('says')
      .match(/At most 3/);
    expect(told).to.be.empty;
  });

  it('that is answering already, or was deleted, is not asked', async () => {
    expect(await ask({ ancestors: ['bea', 'one'] }))
      .to.have.property('says')
      .match(/circles/);
    expect(await ask({ agent: undefined }))
      .to.have.property('says')
      .match(/does not exist/);
    expect(told).to.be.empty;
  });

  it('that takes too long is stopped, and told as done', async () => {
    expect(await ask({ answer: endless }, 0.01)).to.deep.equal({ kind: 'timed_out' });
    expect(told).to.deep.equal(['subagent.start', done]);
  });

  it('tells nothing more once the session is over', async () => {
    const controller = new AbortController();
    const asked = ask({ answer: endless }, 30, controller.signal);
    controller.abort(new Error('session ended'));
    expect(await asked).to.deep.equal({ kind: 'interrupted' });
    expect(told).to.deep.equal(['subagent.start']);
  });

  it('that has no answer fails the call with its reason', async () => {
    const answer = () => Promise.resolve<Run>({ ...newRun([], 1), state: 'failed', answer: 'No.' });
    expect(await ask({ answer })).to.deep.equal({
      kind: 'result',
      result: { status: 'failed', output: 'The agent could not answer. No.' },
    });
    expect(told).to.deep.equal(['subagent.start', done]);
  });
});
