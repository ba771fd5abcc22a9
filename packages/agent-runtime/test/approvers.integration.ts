import { expect } from 'chai';
import { listApprovals, type OrganizationScope } from '@parley/database';
import type { Approver, Tool } from '@parley/protocol';
import { createAgentRuntime, newRun, waitingApprovals } from '#src/index.js';
import { McpHost } from './support/mcp-host.js';
import { ended, never, Stage } from './support/stage.js';

const done = 'response.function_invocation.done';

describe('the approvers of a tool', () => {
  let stage: Stage;
  let origin: string;
  let sessionId: string;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const bell = (approvers: Approver[]): Tool => ({
    ...{ kind: 'http', name: 'bell', description: 'Rings.', method: 'POST', url: origin },
    ...{ approvalRequired: true, approvers },
  });
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    stage.options.database.inOrganization(stage.organizationId, work);
  const approversOf = async (agentId: string) => {
    const page = { offset: 0, limit: 10 };
    const { items } = await inScope((scope) => listApprovals(scope, { agentId }, page));
    return items.map(({ approvers }) => approvers);
  };
  /** A call in a realtime session of the agent. */
  const callIn = async (agentId: string, name: string) => {
    const place = await stage.place(agentId);
    sessionId = await stage.session(place, agentId);
    const toolbox = await stage.toolbox(agentId, { ...place, sessionId });
    const request = { callId: 'c', name, arguments: '{}', position: 1 };
    return toolbox.advance(toolbox.newCall(request), never);
  };

  it('stand in the record, in the event and in the waiting call', async () => {
    const agentId = await stage.agent([bell(['api'])]);
    const call = await callIn(agentId, 'bell');
    expect(waitingApprovals(call).map(({ approvers }) => approvers)).to.deep.equal([['api']]);
    expect(stage.last()).to.deep.include({ approvers: ['api'] });
    expect(await approversOf(agentId)).to.deep.equal([['api']]);
  });

  it('are those of the server for each of its MCP tools', async () => {
    const tools = [{ name: 'ring', inputSchema: { type: 'object' } }];
    const host = await new McpHost({ tools }).start();
    stage.onClose(() => host.kill());
    const server = { kind: 'mcp', name: 'bells', serverUrl: host.url } as const;
    const agentId = await stage.agent([{ ...server, approvalRequired: true, approvers: ['api'] }]);
    await callIn(agentId, 'ring');
    expect(await approversOf(agentId)).to.deep.equal([['api']]);
    expect(host.calls).to.be.empty;
  });

  it('are those of a sub-agent’s own tool', async () => {
    const bea = await stage.agent([bell(['api'])], { name: 'Bea' });
    const outer = await stage.agent([{ kind: 'subagent', name: 'bea', agentId: bea }]);
    const run = newRun(
      [{ role: 'user', content: '!call bea {"question":"\\u0021call bell {}"}' }],
      1,
    );
    const defaultConnection = await stage.provider();
    const runtime = createAgentRuntime({ ...stage.options, defaultConnection });
    const open = { emit: stage.emit, owner: null };
    const answerer = await runtime.openAnswerer(await stage.place(outer), outer, open);
    const waiting = (await answerer.answer(run, never)).openCalls.flatMap(waitingApprovals);
    expect(waiting.map(({ approvers }) => approvers)).to.deep.equal([['api']]);
    expect(await approversOf(bea)).to.deep.equal([['api']]);
  });

  it('without the API rule the tool out in a question, which has no socket', async () => {
    const { toolbox, open } = await stage.call(bell(['client']), '{}');
    const { state, outcome } = await ended(toolbox.advance(open, never));
    expect(state).to.equal('finished');
    expect(outcome!.output).to.match(/Only the user of a realtime session can approve/);
    expect(stage.types().at(-1)).to.equal(done);
    expect(stage.types()).to.not.include('approval.waiting');
    expect(stage.heard).to.be.empty;
  });

  it('without the API let the call wait in a session', async () => {
    const call = await callIn(await stage.agent([bell(['client'])]), 'bell');
    expect(waitingApprovals(call).map(({ approvers }) => approvers)).to.deep.equal([['client']]);
  });
});
