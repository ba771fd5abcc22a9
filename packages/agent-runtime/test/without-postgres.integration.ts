import { expect } from 'chai';
import {
  connectDatabase,
  insertAgent,
  insertConversation,
  insertOrganization,
  migrate,
  type Database,
} from '@parley/database';
import type { Tool } from '@parley/protocol';
import { startPostgresServer, type KillableServer } from '@parley/testkit';
import { createAgentRuntime, type CallPlace } from '#src/index.js';
import { agentFields, never, payTool, Stage } from './support/stage.js';

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
    database = connectDatabase({ url: server.url, onError: () => undefined });
    stage.onClose(() => server.stop());
    stage.onClose(() => database.close());
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());
  afterEach(() => server.restart());

  const open = async (tool: Tool) => {
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
    const toolbox = await createAgentRuntime({ ...stage.options, database }).openToolbox(
      place,
      agentId,
      options,
    );
    const request = { callId: 'c', name: 'pay', arguments: '{"to":"Ada"}', position: 1 };
    return { toolbox, call: toolbox.newCall(request) };
  };

  it('is not run, and says so', async () => {
    const { toolbox, call } = await open(payTool(origin));
    await server.kill();
    const { outcome } = await toolbox.advance(call, never);
    expect(outcome).to.include({ status: 2 });
    expect(outcome!.output).to.match(/could not be recorded.*not run/);
    expect(stage.heard).to.be.empty;
    expect(stage.types()).to.deep.equal([start, done]);
  });

  it('that runs already gives its result', async () => {
    const { toolbox, call } = await open(payTool(origin));
    stage.respond = (_heard, response) =>
      void server.kill().then(() => response.end('{"text":"Paid."}'));
    const { outcome } = await toolbox.advance(call, never);
    expect(outcome).to.include({ status: 1, text: 'Paid.' });
    expect(stage.types()).to.deep.equal([start, done]);
    expect(stage.reports.map(({ event }) => event)).to.deep.equal(['outcome not recorded']);
  });

  it('is not run though it is approved, now or later', async () => {
    const { toolbox, call } = await open(payTool(origin, { approvalRequired: true }));
    const waiting = await toolbox.advance(call, never);
    await stage.approvals.decide(waiting.id, 'approved', null);
    await server.kill();
    const { outcome } = await toolbox.advance(waiting, never);
    expect(outcome!.output).to.match(/could not be recorded.*not run/);
    expect(stage.types()).to.deep.equal([start, 'approval.waiting', done]);
    await server.restart();
    expect(stage.heard).to.be.empty;
  });
});
