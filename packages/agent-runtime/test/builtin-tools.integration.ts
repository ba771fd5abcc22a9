import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { findTask, insertWebhook } from '@parley/database';
import type { Tool } from '@parley/protocol';
import { ended, never, Stage } from './support/stage.js';

describe('a built-in tool', () => {
  let stage: Stage;
  before(async () => {
    stage = await Stage.open();
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const builtin = (name: Extract<Tool, { kind: 'builtin' }>['name']): Tool => ({
    kind: 'builtin',
    name,
  });
  const run = async (name: Parameters<typeof builtin>[0], input: object) => {
    const made = await stage.call(builtin(name), JSON.stringify(input));
    const { outcome } = await ended(made.toolbox.advance(made.open, never));
    return { ...made, outcome: outcome! };
  };

  it('creates a task and changes it', async () => {
    const { outcome, agentId, place } = await run('create_task', {
      title: 'Call Ada',
      dueAt: '2030-01-31T17:00:00+01:00',
    });
    const task = JSON.parse(outcome.output) as { taskId: string };
    expect(task).to.include({
      title: 'Call Ada',
      status: 'open',
      dueAt: '2030-01-31T16:00:00.000Z',
    });
    const changed = await run('update_task', { taskId: task.taskId, status: 'done' });
    expect(JSON.parse(changed.outcome.output)).to.include({ title: 'Call Ada', status: 'done' });
    const { stored, actors } = await stage.options.database.inOrganization(
      stage.organizationId,
      async (scope) => ({
        stored: await findTask(scope, task.taskId),
        actors: await scope.trx.selectFrom('auditLog').select(['actor', 'action']).execute(),
      }),
    );
    expect(stored).to.include({ agentId, conversationId: place.conversationId, status: 'done' });
    expect(actors).to.deep.include({
      action: 'task.created',
      actor: { kind: 'agent', id: agentId, name: 'Ada' },
    });
    for (const input of [{ taskId: randomUUID() }, { taskId: 'x' }])
      expect((await run('update_task', input)).outcome.output).to.match(/no task/);
    expect((await run('create_task', { title: 'X', dueAt: 'soon' })).outcome.output).to.match(
      /ISO 8601/,
    );
  });

  it('tells webhooks of the tasks that it creates and changes', async () => {
    const webhook = { url: 'https://example.com/', events: ['task.changed'], enabled: true };
    const { database } = stage.options;
    await database.inOrganization(stage.organizationId, (scope) =>
      insertWebhook(scope, { id: randomUUID(), ...webhook, secret: Buffer.of(1) }),
    );
    const { outcome, agentId, place } = await run('create_task', { title: 'Call Ada' });
    const { taskId } = JSON.parse(outcome.output) as { taskId: string };
    await run('update_task', { taskId, status: 'done' });
    const told = await database.inOrganization(stage.organizationId, ({ trx }) =>
      trx.selectFrom('webhookDeliveries').select('body').orderBy('createdAt').execute(),
    );
    const { conversationId } = place;
    const same = { id: taskId, externalId: null, agentId, conversationId };
    expect(told.map(({ body }) => (JSON.parse(body) as { data: object }).data)).to.deep.equal([
      { ...same, change: 'created', status: 'open', version: 1 },
      { ...same, change: 'updated', status: 'done', version: 2 },
    ]);
  });

  it('tells the time where it is asked for', async () => {
    const { outcome } = await run('current_time', { timeZone: 'Asia/Tokyo' });
    expect(JSON.parse(outcome.output)).to.include({ timeZone: 'Asia/Tokyo' });
    expect((await run('current_time', {})).outcome.status).to.equal('succeeded');
    expect((await run('current_time', { timeZone: 'Mars/One' })).outcome.status).to.equal('failed');
  });

  it('finds what was said, whatever the words mean to SQL', async () => {
    const made = await stage.call(
      { kind: 'builtin', name: 'search_conversation' },
      JSON.stringify({ query: '100% o_clock' }),
    );
    const { conversationId } = made.place;
    const message = (content: string, position: number) => ({
      id: randomUUID(),
      conversationId,
      organizationId: stage.organizationId,
      role: 'user' as const,
      status: 'completed',
      content,
      position,
    });
    await stage.options.database.inOrganization(stage.organizationId, ({ trx }) =>
      trx
        .insertInto('messages')
        .values(
          ['At 100% O_CLOCK sharp', '100 oxclock', 'nothing'].map((content, at) => ({
            ...message(content, at + 1),
            ...{ sessionId: null, itemId: null, audioEndMs: null, usage: null },
          })),
        )
        .execute(),
    );
    const { outcome } = await ended(made.toolbox.advance(made.open, never));
    const { messages } = JSON.parse(outcome!.output) as { messages: { content: string }[] };
    expect(messages.map(({ content }) => content)).to.deep.equal(['At 100% O_CLOCK sharp']);
    expect((await run('search_conversation', { query: ' ' })).outcome.status).to.equal('failed');
  });
});
