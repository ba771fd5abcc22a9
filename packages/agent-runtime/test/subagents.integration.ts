import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import { createAgentRuntime, newRun, waitingApprovals, type Run } from '#src/index.js';
import { never, Stage } from './support/stage.js';

const done = 'response.function_invocation.done';

describe('sub-agents', () => {
  let stage: Stage;
  let origin: string;
  let defaultConnection: ProviderConnection;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
    defaultConnection = await stage.provider();
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const bell = (approvalRequired: boolean, name = 'bell'): Tool => ({
    ...{ kind: 'http', name, description: 'Rings.', method: 'POST', url: origin },
    approvalRequired,
  });
  const subagent = (name: string, agentId: string): Tool => ({ kind: 'subagent', name, agentId });
  /** In the words of the simulator; those of the question are not for the agent that asks it. */
  const asking = (name: string, question: string) =>
    `!call ${name} ${JSON.stringify({ question }).replaceAll('!', '\\u0021')}`;
  const times = (count: number, text: string) => Array<string>(count).fill(text).join(' ');
  const answererOf = async (agentId: string) =>
    createAgentRuntime({ ...stage.options, defaultConnection }).openAnswerer(
      await stage.place(agentId),
      agentId,
      { emit: stage.emit, owner: null },
    );
  const ask = async (agentId: string, content: string) =>
    (await answererOf(agentId)).answer(newRun([{ role: 'user', content }], 1), never);
  const waitingIn = (run: Run) => run.openCalls.flatMap(waitingApprovals);
  const refusals = () =>
    stage.told.filter(({ data }) => String(data['text']).startsWith('At most 16 calls can wait'));

  it('share with their agent how many approvals can wait', async () => {
    const bea = await stage.agent([bell(true)], { name: 'Bea' });
    const cara = await stage.agent([bell(true)], { name: 'Cara' });
    const outer = await stage.agent([subagent('bea', bea), subagent('cara', cara), bell(true)]);
    const inner = times(6, '!call bell {}');
    const words = `${times(8, '!call bell {}')} ${asking('bea', inner)} ${asking('cara', inner)}`;
    const run = await ask(outer, words);
    expect(run.state).to.equal('waiting');
    expect(waitingIn(run)).to.have.length(16);
    expect(refusals()).to.have.length(4);
    expect(refusals()[0]).to.include({ type: done });
    expect(refusals()[0]!.data).to.include({ status: 2 });
    expect(stage.endings).to.deep.equal(Array(4).fill('http refused'));

    const [first] = waitingIn(run);
    await stage.approvals.decide(first!.id, 'rejected', null);
    const later = await (await answererOf(outer)).answer(run, never);
    expect(waitingIn(later)).to.have.length(15);
  });
});
