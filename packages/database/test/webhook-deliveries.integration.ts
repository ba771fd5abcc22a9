import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { decideToolCall } from '#src/calls/approval-decisions.js';
import {
  endRealtimeSession,
  keepTicket,
  takeOverSession,
} from '#src/conversations/realtime-sessions.js';
import { closeLostSessions, endLostSession } from '#src/conversations/retention.js';
import { announceEvent } from '#src/webhooks/webhook-deliveries.js';
import { insertWebhook } from '#src/webhooks/webhooks.js';
import type { WebhookEventData } from '@parley/protocol';
import { waitFor } from '@parley/testkit';
import { calledTools, type CalledTools } from './support/called-tools.js';

const sessionEnded: WebhookEventData['session.ended'] = {
  id: randomUUID(),
  agentId: randomUUID(),
  conversationId: randomUUID(),
  startedAt: '2030-01-31T16:00:00.000Z',
  endedAt: '2030-01-31T16:05:00.000Z',
  endReason: 'Normal',
  closeCode: 1000,
};

type Told = { type: string; data: Record<string, unknown> };

describe('an event', () => {
  let world: CalledTools;
  let webhookId: string;

  before(async () => {
    world = await calledTools();
  });
  beforeEach(async () => {
    webhookId = randomUUID();
    const events = ['approval.waiting', 'approval.decided', 'session.ended'];
    const url = 'https://example.com/';
    await world.work((scope) =>
      insertWebhook(scope, { id: webhookId, url, events, enabled: true, secret: Buffer.of(1) }),
    );
  });
  after(() => world.drop());

  const told = async (): Promise<Told[]> => {
    const rows = await world.work(({ trx }) =>
      trx
        .selectFrom('webhookDeliveries')
        .select('body')
        .where('webhookId', '=', webhookId)
        .orderBy('createdAt')
        .execute(),
    );
    return rows.map(({ body }) => JSON.parse(body) as Told);
  };
  const decide = (id: string, approval: 'approved' | 'rejected') =>
    world.work((scope) => decideToolCall(scope, id, { approval, by: null }));

  it('tells of a session whose gateway is gone, once, whoever finds it', async () => {
    const [silent, overaged, moved] = [
      await world.newSession(),
      await world.newSession(),
      await world.newSession(),
    ];
    const { agentId, conversationId } = world;
    const place = { agentId, conversationId };
    await world.work((scope) => keepTicket(scope, { id: moved, ticket: {} }));
    for (let again = 0; again < 2; again += 1) {
      await world.work((scope) => endLostSession(scope, silent));
      const to = randomUUID();
      await world.work((scope) => takeOverSession(scope, { id: moved, ...place, to }));
      await world.database.asSystem((system) =>
        closeLostSessions(system, { maxSeconds: 0, marginSeconds: 0, limit: 10 }),
      );
    }
    const ends = (await told()).map(({ type, data: { startedAt, endedAt, ...data } }) => {
      expect([startedAt, endedAt].map(String).every((time) => time.endsWith('Z'))).to.equal(true);
      return { type, ...data };
    });
    const lost = { type: 'session.ended', ...place, closeCode: 1006, endReason: 'lost' };
    expect(ends).to.have.deep.members([
      { ...lost, id: silent },
      { ...lost, id: moved, endReason: 'moved' },
      { ...lost, id: overaged },
    ]);
  });

  it('tells of an approval when it waits and when it is decided, once', async () => {
    const { id, callId } = await world.waiting();
    await decide(id, 'rejected');
    await decide(id, 'approved');
    const [waiting, decided, ...more] = await told();
    expect(waiting).to.deep.include({ type: 'approval.waiting' });
    expect(waiting?.data)
      .to.include({ id, callId, name: 'pay' })
      .and.not.have.any.keys('arguments');
    expect(decided).to.deep.include({ type: 'approval.decided' });
    expect(decided?.data).to.include({ id, state: 'rejected' });
    expect(more).to.deep.equal([]);
  });

  it('is not held up for good by a webhook that is just being deleted, nor fails for it', async () => {
    let announced: Promise<void> | undefined;
    await world.work(async ({ trx }) => {
      await trx.deleteFrom('webhooks').where('id', '=', webhookId).execute();
      announced = world.work((scope) => announceEvent(scope, 'session.ended', sessionEnded));
      await waitFor(
        async () => {
          const waiting = sql<{ n: string }>`select count(*) as n from pg_locks where not granted`;
          return Number((await waiting.execute(trx)).rows[0]?.n) > 0;
        },
        { what: 'the event to wait for the webhook' },
      );
    });
    await announced;
    expect(await told()).to.deep.equal([]);
  });

  it('tells of the end of a session, once', async () => {
    const id = await world.newSession();
    const end = { id, endedAt: performance.now(), endReason: 'IdleTimeout', closeCode: 4411 };
    const bytes = { bytesFromClient: 0, bytesFromProvider: 0 };
    for (let times = 0; times < 2; times += 1)
      await world.work((scope) => endRealtimeSession(scope, { ...end, ...bytes }));
    const events = await told();
    expect(events).to.have.length(1);
    expect(events[0]?.data).to.include({ id, endReason: 'IdleTimeout', closeCode: 4411 });
  });

  it('is not stored when its change is not', async () => {
    const { id } = await world.waiting();
    await world
      .work(async (scope) => {
        await decideToolCall(scope, id, { approval: 'approved', by: null });
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect((await told()).map(({ type }) => type)).to.deep.equal(['approval.waiting']);
  });
});
