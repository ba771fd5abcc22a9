import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Announced } from '#src/webhooks/announced.js';
import { insertConversation } from '#src/conversations/conversations.js';
import { insertMessages } from '#src/conversations/messages.js';
import { endRealtimeSession } from '#src/conversations/realtime-sessions.js';
import { closeLostSessions, endLostSession } from '#src/conversations/retention.js';
import { decideToolCall } from '#src/calls/approval-decisions.js';
import { cancelSessionCalls } from '#src/calls/cancel-calls.js';
import { calledTools, type CalledTools } from './support/called-tools.js';

describe('what happens in an organization', () => {
  let world: CalledTools;
  let told: Announced[];

  before(async () => {
    world = await calledTools();
    world.database.onAnnounced((announced) => void told.push(...announced));
  });
  beforeEach(() => {
    told = [];
  });
  after(() => world.drop());

  const types = () => told.map(({ type }) => type);
  const said = (conversationId = world.conversationId) => ({
    id: randomUUID(),
    conversationId,
    sessionId: null,
    position: 1,
    role: 'user' as const,
    content: 'Hello',
    status: 'completed',
    itemId: null,
    contentIndex: 0,
    interrupted: false,
    audioEndMs: null,
    usage: null,
    createdAt: new Date(),
  });
  const ended = (id: string) => ({
    id,
    endedAt: performance.now(),
    endReason: 'Normal',
    closeCode: 1000,
    bytesFromClient: 0,
    bytesFromProvider: 0,
  });

  it('is told after the commit, whose organization it is', async () => {
    const message = said();
    await world.work(async (scope) => {
      await insertMessages(scope, [message]);
      expect(told).to.deep.equal([]);
    });
    const { id, conversationId, sessionId, role } = message;
    const data = { id, conversationId, sessionId, role };
    const { organizationId } = world;
    expect(told).to.deep.equal([{ organizationId, type: 'message.created', data }]);
  });

  it('is not told if it is undone, or was there before', async () => {
    const message = said();
    const undone = await world
      .work(async (scope) => {
        await insertMessages(scope, [message]);
        throw new Error('undo');
      })
      .catch((error: unknown) => (error as Error).message);
    expect(undone).to.equal('undo');
    expect(told).to.deep.equal([]);
    for (const messages of [[message], [message, message]])
      await world.work((scope) => insertMessages(scope, messages));
    expect(types()).to.deep.equal(['message.created']);
  });

  it('is not told of a conversation that nobody keeps', async () => {
    const { id } = await world.work((scope) => insertConversation(scope, world.agentId, 'passing'));
    await world.work((scope) => insertMessages(scope, [said(id)]));
    expect(told).to.deep.equal([]);
  });

  it('is told of a call, its approval and its end with the session, once each', async () => {
    const sessionId = await world.newSession();
    const { id, callId } = await world.waiting({ sessionId });
    for (let again = 0; again < 2; again += 1)
      await world.work(async (scope) => {
        await endRealtimeSession(scope, ended(sessionId));
        await cancelSessionCalls(scope, sessionId);
        await decideToolCall(scope, id, { approval: 'approved', by: null });
      });
    expect(types()).to.deep.equal([
      'message.created',
      'approval.waiting',
      'session.ended',
      'approval.decided',
    ]);
    const { agentId, conversationId } = world;
    const place = { agentId, conversationId };
    expect(told[2]?.data).to.deep.equal({ id: sessionId, ...place });
    expect(told[3]?.data).to.deep.equal({ id, callId, ...place, sessionId, state: 'cancelled' });
  });

  it('is told of sessions that were lost, whoever finds them', async () => {
    const [silent, overaged] = [await world.newSession(), await world.newSession()];
    for (let again = 0; again < 2; again += 1) {
      await world.work((scope) => endLostSession(scope, silent));
      await world.database.asSystem((system) =>
        closeLostSessions(system, { maxSeconds: 0, marginSeconds: 0, limit: 10 }),
      );
    }
    const { organizationId, agentId, conversationId } = world;
    const lost = (id: string) => ({
      organizationId,
      type: 'session.ended',
      data: { id, agentId, conversationId },
    });
    expect(told).to.deep.equal([lost(silent), lost(overaged)]);
  });
});
