import { expect } from 'chai';
import type { OrganizationScope } from '@parley/database';
import type { Tool } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import { waitFor } from '@parley/testkit';
import { CallCancelled, type AgentRuntimeOptions } from '#src/index.js';
import { ToolTimedOut } from '#src/calls/run-tool.js';
import { ended, never, Stage } from './support/stage.js';

const done = 'response.function_invocation.done';

describe('a sub-agent that ends while one of its calls waits for approval', () => {
  let stage: Stage;
  let origin: string;
  let defaultConnection: ProviderConnection;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
    defaultConnection = await stage.provider();
  });
  beforeEach(() => {
    stage.forget();
    // The server never answers.
    stage.respond = () => undefined;
  });
  after(() => stage.close());

  const http = (name: string, approvalRequired: boolean): Tool => ({
    ...{ kind: 'http', name, description: 'Rings.', method: 'POST', url: origin },
    parameters: { type: 'object', properties: {} },
    approvalRequired,
  });
  const subagent = (name: string, agentId: string): Tool => ({ kind: 'subagent', name, agentId });
  const bell = () => http('bell', true);
  const horn = () => http('horn', false);
  const asking = (question: string) => JSON.stringify({ question }).replaceAll('!', '\\u0021');
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    stage.options.database.inOrganization(stage.organizationId, work);

  /** A call in a session, of a sub-agent with these tools that is asked this. */
  const make = async (
    tools: Tool[],
    question: string,
    options: Partial<AgentRuntimeOptions> = {},
  ) => {
    const bea = await stage.agent(tools, { name: 'Bea' });
    const outer = await stage.agent([subagent('bea', bea), bell()]);
    const place = await stage.place(outer);
    const sessionId = await stage.session(place, outer);
    const within = { defaultConnection, ...options };
    const toolbox = await stage.toolbox(outer, { ...place, sessionId }, within);
    const input = { name: 'bea', arguments: asking(question), position: 1 };
    const call = toolbox.newCall({ callId: 'c', ...input });
    const { conversationId } = place;
    const rowOf = async (name: string) => {
      await stage.options.journal.caughtUp(stage.organizationId);
      return inScope(({ trx }) =>
        trx
          .selectFrom('toolCalls')
          .select(['id', 'messageId', 'approval', 'result', 'startedAt', 'finishedAt'])
          .where('conversationId', '=', conversationId)
          .where('name', '=', name)
          .executeTakeFirstOrThrow(),
      );
    };
    return { toolbox, call, rowOf, ending: new AbortController() };
  };
  const midway = (approvals = 1) =>
    waitFor(
      () =>
        stage.heard.length === 1 &&
        stage.types().filter((type) => type === 'approval.waiting').length === approvals,
      { what: 'one call to wait while another runs' },
    );
  const doneOf = (messageId: string | null) =>
    stage.told.filter(({ type, data }) => type === done && data['id'] === messageId);

  for (const [why, reason] of [
    ['its time is up', new ToolTimedOut()],
    ['its response was cut off', new CallCancelled()],
  ] as const)
    it(`withdraws the approval if ${why}`, async () => {
      const both = '!call bell {} !call horn {}';
      const { toolbox, call, rowOf, ending } = await make([bell(), horn()], both);
      const advancing = toolbox.advance(call, ending.signal);
      await midway();
      ending.abort(reason);
      expect(await advancing).to.include({ state: 'finished' });
      const row = await rowOf('bell');
      expect(row).to.include({ approval: 'cancelled' });
      expect(row.result).to.equal('This call was cancelled. The tool was not run.');
      expect(row.finishedAt).to.be.instanceOf(Date);
      expect(doneOf(row.messageId)).to.have.length(1);
      expect(stage.types().slice(-2)).to.deep.equal(['subagent.done', done]);
      expect(await stage.decide(row.id, 'approved')).to.equal(false);
    });

  it('withdraws it, too, after it went on with another one', async () => {
    const slow = http('slow', true);
    const { toolbox, call, rowOf, ending } = await make(
      [bell(), slow],
      '!call bell {} !call slow {}',
    );
    const suspended = await toolbox.advance(call, never);
    expect(suspended).to.include({ state: 'suspended' });
    await stage.decide((await rowOf('slow')).id, 'approved');
    const advancing = toolbox.advance(suspended, ending.signal);
    await midway(2);
    ending.abort(new ToolTimedOut());
    expect(await advancing).to.include({ state: 'finished' });
    const row = await rowOf('bell');
    expect(row).to.include({ approval: 'cancelled' });
    expect(doneOf(row.messageId)).to.have.length(1);
    expect((await rowOf('slow')).result).to.match(/outcome is unknown/);
  });

  it('withdraws those of the agents that it asked itself', async () => {
    const cara = await stage.agent([bell()], { name: 'Cara' });
    const both = `!call cara ${asking('!call bell {}')} !call horn {}`;
    const { toolbox, call, rowOf, ending } = await make([subagent('cara', cara), horn()], both);
    const advancing = toolbox.advance(call, ending.signal);
    await midway();
    ending.abort(new CallCancelled());
    expect(await advancing).to.include({ state: 'finished' });
    expect(await rowOf('bell')).to.include({ approval: 'cancelled' });
    for (const name of ['bell', 'cara']) {
      const row = await rowOf(name);
      expect(row.finishedAt, name).to.be.instanceOf(Date);
      expect(doneOf(row.messageId), name).to.have.length(1);
    }
  });

  it('reports a call as not run that is approved at that very moment', async () => {
    const { approvals } = stage.options;
    const cancel: typeof approvals.cancel = async (asked) => {
      expect(await stage.decide(asked.id, 'approved')).to.equal(true);
      await approvals.cancel(asked);
    };
    const { toolbox, call, rowOf, ending } = await make(
      [bell(), horn()],
      '!call bell {} !call horn {}',
      { approvals: { ...approvals, cancel } },
    );
    const advancing = toolbox.advance(call, ending.signal);
    await midway();
    ending.abort(new CallCancelled());
    await advancing;
    const row = await rowOf('bell');
    expect(row).to.include({ approval: 'approved', startedAt: null });
    expect(row.result).to.match(/not run/);
    expect(row.finishedAt).to.be.instanceOf(Date);
    expect(doneOf(row.messageId)).to.have.length(1);
    expect(stage.heard).to.have.length(1);
  });

  it('leaves room for as many other approvals as before', async () => {
    const both = '!call bell {} !call horn {}';
    const { toolbox, call, ending } = await make([bell(), horn()], both);
    const advancing = toolbox.advance(call, ending.signal);
    await midway();
    ending.abort(new CallCancelled());
    await advancing;
    const others = Array.from({ length: 16 }, (_, n) =>
      toolbox.newCall({ callId: `c${n}`, name: 'bell', arguments: '{}', position: 2 + n }),
    );
    const ends = await Promise.all(others.map((other) => ended(toolbox.advance(other, never))));
    expect(ends.map(({ state }) => state)).to.deep.equal(Array(16).fill('waiting'));
  });
});
