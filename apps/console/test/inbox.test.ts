import { expect } from 'chai';
import type { Approval } from '@parley/client/server';
import { parseAlerts } from '#src/api/alerts.js';
import { newestFirst } from '#src/api/newest-first.js';
import {
  bySoonest,
  deciderText,
  neighbour,
  openOf,
  readDecided,
} from '#src/pages/approvals/inbox.js';

const approval = (id: string, changes: Partial<Approval> = {}): Approval => ({
  id,
  callId: `call_${id}`,
  agentId: 'agent',
  conversationId: 'conversation',
  sessionId: null,
  name: 'refund',
  arguments: {},
  approvers: ['api'],
  createdAt: '2026-03-01T12:00:00.000Z',
  deadline: '2026-03-01T12:05:00.000Z',
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  ...changes,
});

const listOf = <Item>(all: readonly Item[]) => {
  const read = ({ offset, limit }: { offset: number; limit: number }) =>
    Promise.resolve({ items: all.slice(offset, offset + limit), total: all.length });
  return read;
};

describe('the inbox of approvals', () => {
  it('shows first what has to be decided first', () => {
    const soon = approval('b', { deadline: '2026-03-01T12:01:00.000Z' });
    expect(bySoonest([approval('c'), approval('a'), soon]).map(({ id }) => id)).to.deep.equal([
      'b',
      'a',
      'c',
    ]);
  });

  it('moves by steps that end at the ends of the list', () => {
    const ids = ['a', 'b', 'c'];
    expect([
      neighbour(ids, undefined, 1),
      neighbour(ids, 'a', 1),
      neighbour(ids, 'c', 1),
      neighbour(ids, 'a', -1),
      neighbour(ids, 'gone', 1),
      neighbour([], 'a', 1),
    ]).to.deep.equal(['a', 'b', 'c', 'a', 'a', undefined]);
  });

  it('never changes what is open into another, whatever comes in before it', () => {
    const [first, sooner] = [approval('a'), approval('b')];
    expect(openOf([first], undefined, undefined).open).to.equal(first);
    expect(openOf([sooner, first], undefined, first)).to.deep.equal({ open: first, gone: false });
    expect(openOf([sooner], undefined, first)).to.deep.equal({ open: first, gone: true });
  });

  it('opens what the address names, and nothing in its place', () => {
    const [first, named] = [approval('a'), approval('b')];
    expect(openOf([first, named], 'b', first).open).to.equal(named);
    expect(openOf([first], 'b', first)).to.deep.equal({ open: undefined, gone: false });
    expect(openOf([], undefined, undefined).open).to.equal(undefined);
  });

  it('says who decided', () => {
    const by = (decidedBy: Approval['decidedBy']) => deciderText(decidedBy, 'me');
    expect([
      by(null),
      by({ kind: 'user', id: 'me', name: 'Ada' }),
      by({ kind: 'user', id: 'other', name: 'Ada' }),
      by({ kind: 'session', id: 's', name: 'x' }),
      by({ kind: 'key', id: 'k', name: 'Backend' }),
      by({ kind: 'key', name: 7 }),
      by({}),
    ]).to.deep.equal([
      undefined,
      'you',
      'Ada',
      'the caller',
      'the API key Backend',
      'an API key',
      undefined,
    ]);
  });

  it('lists the decided of all outcomes with the newest first', async () => {
    const at = (minute: number) => `2026-03-01T12:0${minute}:00.000Z`;
    const stored: Record<string, Approval[]> = {
      approved: [approval('1', { createdAt: at(1) }), approval('4', { createdAt: at(4) })],
      rejected: [approval('3', { createdAt: at(3) })],
      expired: [approval('2', { createdAt: at(2) })],
      cancelled: [],
    };
    const list = ({ state = '', offset = 0, limit = 50 }) =>
      listOf(stored[state] ?? [])({ offset, limit });
    const parley = { approvals: { list } } as unknown as Parameters<typeof readDecided>[0];
    const page = await readDecided(parley, { state: undefined, offset: 1 }, 2);
    expect([page.items.map(({ id }) => id), page.total]).to.deep.equal([['3', '2'], 4]);
    const approved = await readDecided(parley, { state: 'approved', offset: 0 }, 1);
    expect([approved.items.map(({ id }) => id), approved.total]).to.deep.equal([['4'], 2]);
  });
});

describe('a list with the newest first', () => {
  const page = async (total: number, offset: number, limit: number) =>
    (await newestFirst(listOf(Array.from({ length: total }, (_, at) => at)), { offset, limit }))
      .items;

  it('has the end of the list on its first page, and the beginning on its last', async () => {
    expect(await page(5, 0, 2)).to.deep.equal([4, 3]);
    expect(await page(5, 4, 2)).to.deep.equal([0]);
  });

  it('is empty where there is nothing, and behind its end', async () => {
    expect([await page(0, 0, 2), await page(5, 6, 2)]).to.deep.equal([[], []]);
  });
});

describe('the alerts of a browser', () => {
  it('are off unless they were switched on', () => {
    expect(
      [null, '', 'null', '{"sound":"yes"}', '{"sound":true}', '[]'].map((text) =>
        parseAlerts(text),
      ),
    ).to.deep.equal([
      { sound: false, notification: false },
      { sound: false, notification: false },
      { sound: false, notification: false },
      { sound: false, notification: false },
      { sound: true, notification: false },
      { sound: false, notification: false },
    ]);
  });
});
