import { expect } from 'chai';
import { Registry } from 'prom-client';
import { approvalMetrics, createApprovalDesk } from '@parley/approvals';
import {
  connectDatabase,
  findToolCall,
  insertAgent,
  insertConversation,
  insertOrganization,
  migrate,
  type Database,
  type StoredToolCall,
  type Transactor,
} from '@parley/database';
import type { Tool } from '@parley/protocol';
import { startPostgresServer, waitFor, type KillableServer } from '@parley/testkit';
import { createAgentRuntime, openQuestionJournal, type CallPlace } from '#src/index.js';
import { loadAgent } from '#src/load-agent.js';
import { agentFields, ended, never, payTool, Stage } from './support/stage.js';

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';

describe('a tool call while PostgreSQL is away', () => {
  let stage: Stage;
  let server: KillableServer;
  let database: Database;
  let origin: string;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
    server = await startPostgresServer();
    await migrate(server.url);
    database = connectDatabase({
      url: server.url,
      queryTimeoutMs: 3000,
      onError: () => undefined,
    });
    stage.onClose(() => server.stop());
    stage.onClose(() => database.close());
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const ways = {
    killed: { leave: () => server.kill(), comeBack: () => server.restart() },
    frozen: { leave: () => server.kill('SIGSTOP'), comeBack: () => server.kill('SIGCONT') },
  };

  const open = async (tool: Tool, within: Database = database) => {
    const { id: organizationId } = await database.asSystem((scope) =>
      insertOrganization(scope, { name: 'Away' }),
    );
    const ids = await database.inOrganization(organizationId, async (scope) => {
      const agentId = await insertAgent(scope, { ...agentFields, name: 'Ada', tools: [tool] });
      return { agentId, conversationId: (await insertConversation(scope, agentId)).id };
    });
    const { agentId, conversationId } = ids;
    const place: CallPlace = { organizationId, conversationId, sessionId: null, runId: null };
    const options = { emit: stage.emit, owner: 'pod-1' };
    const approvals = createApprovalDesk({
      database,
      redis: { publish: () => Promise.resolve(1) },
      producer: { expireApproval: () => Promise.resolve(), enqueueRun: () => Promise.resolve() },
      metrics: approvalMetrics(new Registry()),
      onError: () => undefined,
    });
    const journal = openQuestionJournal(within, stage.report, 5000);
    stage.onClose(() => journal.close());
    const parts = { ...stage.options, database: within, journal, approvals };
    const agent = await loadAgent(parts, organizationId, agentId);
    const runtime = createAgentRuntime(parts);
    const toolbox = await runtime.openToolbox(place, agent!, options);
    const request = { callId: 'c', name: 'pay', arguments: '{"to":"Ada"}', position: 1 };
    const call = toolbox.newCall(request);
    const recorded = () =>
      database.inOrganization(organizationId, (scope) => findToolCall(scope, call.id));
    const by = { kind: 'system', name: 'test' } as const;
    const approve = () => approvals.decide({ id: call.id, organizationId }, 'approved', by);
    return { toolbox, call, recorded, approve };
  };
  /** Before the toolbox is opened, nobody counts. */
  const leavingBefore = (step: number, leave: () => Promise<void>): Database => {
    let steps = -1;
    const counting = (lane: Transactor): Transactor => ({
      ...lane,
      async inOrganization(organizationId, work) {
        steps += 1;
        if (steps === step) await leave();
        return lane.inOrganization(organizationId, work);
      },
    });
    return { ...database, ...counting(database), background: counting(database.background) };
  };
  const finished = (recorded: () => Promise<StoredToolCall | undefined>) =>
    waitFor(
      async () => {
        const row = await recorded().catch(() => undefined);
        return row?.finishedAt ? row : undefined;
      },
      { what: 'the end of the call in the record' },
    );

  const retries = () => stage.reports.filter(({ event }) => event.includes('retrying'));

  for (const [way, { leave, comeBack }] of Object.entries(ways))
    for (const [step, what] of ['record', 'claim', 'finish'].entries())
      it(`and was ${way} before the call's ${what} ends once, as the record says later`, async () => {
        stage.respond = (_heard, response) => response.end('{"text":"Paid."}');
        const within = leavingBefore(step + 1, leave);
        const { toolbox, call, recorded } = await open(payTool(origin), within);
        const { outcome } = await ended(toolbox.advance(call, never));
        const ran = what === 'finish';
        expect(outcome).to.include({ status: ran ? 'succeeded' : 'failed' });
        expect(outcome!.text).to.match(ran ? /Paid/ : /could not be recorded.*not run/);
        expect(stage.heard).to.have.length(ran ? 1 : 0);
        expect(stage.types()).to.deep.equal([start, done]);
        if (ran)
          await waitFor(() => retries().length > 0, { what: 'the journal to miss PostgreSQL' });
        await comeBack();
        const row = await finished(recorded);
        expect(row).to.include({ status: outcome!.status, name: 'pay', callId: 'c' });
        expect(stage.heard).to.have.length(ran ? 1 : 0);
        expect(stage.reports.length - retries().length).to.equal(ran ? 0 : 1);
      });

  for (const [way, { leave, comeBack }] of Object.entries(ways))
    it(`and was ${way} waits on though it is approved, and is run once when PostgreSQL is back`, async () => {
      const tool = payTool(origin, { approvalRequired: true });
      const { toolbox, call, recorded, approve } = await open(tool);
      const waiting = await toolbox.advance(call, never);
      expect(await approve()).to.equal(true);
      await leave();
      expect(await toolbox.advance(waiting, never)).to.deep.equal(waiting);
      expect(stage.types()).to.deep.equal([start, 'approval.waiting']);
      expect(stage.heard).to.be.empty;
      await comeBack();
      const outcome = await waitFor(
        async () => {
          const call = await ended(toolbox.advance(waiting, never));
          return call.outcome ?? undefined;
        },
        { what: 'the call to go on' },
      );
      expect(outcome).to.include({ status: 'succeeded' });
      expect(await finished(recorded)).to.include({ status: 'succeeded', approval: 'approved' });
      expect(stage.heard).to.have.length(1);
    });
});
