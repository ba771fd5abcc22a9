import { expect } from 'chai';
import { auditActions, scopes as serviceScopes, roleNames, webhookEvents } from '@parley/protocol';
import type { AuditRecord, UsageInterval } from '@parley/client/server';
import { newestFirst, placeFromEnd } from '#src/api/newest-first.js';
import { actionsByResource } from '#src/pages/audit/actions.js';
import { momentsOf } from '#src/pages/audit/day-range.js';
import { differencesOf } from '#src/pages/audit/differences.js';
import { readExport } from '#src/pages/audit/export-file.js';
import { dropsSecret, formOf, modelsIn, patchOf } from '#src/pages/connections/kinds.js';
import { expiresAtOf, expiryOf, standingOf } from '#src/pages/keys/expiry.js';
import { scopeNames, scopesText, stoppedBy, usualScopes } from '#src/pages/keys/scopes.js';
import { trialOf } from '#src/pages/keys/trial-request.js';
import { roleTexts } from '#src/pages/members/roles.js';
import { stepsOf } from '#src/pages/overview/checklist.js';
import { figures, linesOf, sumOf } from '#src/pages/usage/figures.js';
import { intervalText, rangeOf, spanFrom, spans } from '#src/pages/usage/usage-range.js';
import { eventNames, responseText } from '#src/pages/webhooks/events.js';

const now = Date.parse('2026-03-10T12:00:00Z');

describe('what the pages of an organization know', () => {
  it('is every scope, role, event and audited action of the service', () => {
    expect(scopeNames).to.have.members(Object.keys(serviceScopes));
    expect(Object.keys(roleTexts)).to.deep.equal([...roleNames]);
    expect(eventNames).to.deep.equal(Object.keys(webhookEvents));
    expect(actionsByResource).to.deep.equal(auditActions);
  });
});

describe('a key in the console', () => {
  it('says in short what it may do', () => {
    expect(scopesText(scopeNames)).to.equal('Everything');
    expect(scopesText(usualScopes)).to.equal('Everything but admin');
    expect(scopesText(['agents', 'tasks'])).to.equal('agents, tasks');
  });

  it('names what stops without it, also for a scope that the page does not know', () => {
    expect(stoppedBy(['tasks', 'constructor'])).to.deep.equal([
      'read or change tasks',
      'use the scope constructor',
    ]);
  });

  it('expires never, after days, or at the end of a day', () => {
    expect(expiresAtOf({ choice: 'never', day: '' }, now)).to.equal(null);
    expect(expiresAtOf({ choice: '30', day: '' }, now)).to.equal('2026-04-09T12:00:00.000Z');
    expect(expiresAtOf({ choice: 'date', day: '' }, now)).to.equal(undefined);
    const day = expiresAtOf({ choice: 'date', day: '2026-05-01' }, now) ?? null;
    expect(expiryOf(day)).to.deep.equal({ choice: 'date', day: '2026-05-01' });
  });

  it('is told of before it ends', () => {
    const standings = [
      null,
      '2026-03-10T11:00:00Z',
      '2026-03-12T00:00:00Z',
      '2026-06-01T00:00:00Z',
    ];
    expect(standings.map((at) => standingOf(at, now))).to.deep.equal([
      'active',
      'expired',
      'expiring',
      'active',
    ]);
  });

  it('is tried with a list that it may read, and is not in the line itself', () => {
    const [curl] = trialOf({ origin: 'https://p.example', organizationId: 'o', scopes: ['tasks'] });
    expect(curl.code).to.include('https://p.example/api/v1/Task ').and.include('$PARLEY_API_KEY');
  });
});

describe('a connection in the console', () => {
  const stored = {
    id: 'c',
    name: 'Ours',
    kind: 'openai-compatible',
    baseUrl: 'https://a.example/v1',
    models: ['m'],
    realtime: true,
    enabled: true,
    hasSecret: true,
    createdAt: '',
    updatedAt: '',
  } as const;

  it('keeps its secret unless somebody replaces or removes it', () => {
    const form = formOf(stored);
    expect(patchOf(form, { ...form, secret: '' })).to.deep.equal({});
    expect(patchOf(form, { ...form, secret: ' sk-1 ' })).to.deep.equal({ secret: 'sk-1' });
    expect(patchOf(form, { ...form, secret: null })).to.deep.equal({ secret: null });
  });

  it('is saved with what was changed, and nothing else', () => {
    const form = formOf(stored);
    expect(patchOf(form, { ...form, name: ' Ours ', models: 'm,' })).to.deep.equal({});
    expect(patchOf(form, { ...form, baseUrl: '', models: 'm\nn' })).to.deep.equal({
      baseUrl: null,
      models: ['m', 'n'],
    });
  });

  it('warns when another host would be sent the secret', () => {
    const form = formOf(stored);
    expect(dropsSecret(stored, { ...form, baseUrl: 'https://a.example/v2' })).to.equal(false);
    expect(dropsSecret(stored, { ...form, baseUrl: 'https://b.example/v1' })).to.equal(true);
    expect(dropsSecret(stored, { ...form, baseUrl: 'https://b.example', secret: 'x' })).to.equal(
      false,
    );
  });

  it('takes models a line or with commas, each once', () => {
    expect(modelsIn(' a, b\n\na\nc ')).to.deep.equal(['a', 'b', 'c']);
  });
});

describe('a list that is read from its end', () => {
  it('has its newest first', async () => {
    const all = [1, 2, 3, 4, 5];
    const list = ({ offset, limit }: { offset: number; limit: number }) =>
      Promise.resolve({ items: all.slice(offset, offset + limit), total: 5, offset, limit });
    const pages = [0, 2, 4, 6].map(async (offset) => newestFirst(list, { offset, limit: 2 }));
    const items = (await Promise.all(pages)).map((page) => page.items);
    expect(items).to.deep.equal([[5, 4], [3, 2], [1], []]);
    expect(placeFromEnd({ offset: 0, limit: 50 }, 0)).to.equal(undefined);
  });
});

describe('the audit log in the console', () => {
  it('tells a change place by place', () => {
    const before = { name: 'A', tools: [{ url: 'x' }], gone: 1 };
    const after = { name: 'A', tools: [{ url: 'y' }], made: null };
    expect(differencesOf(before, after)).to.deep.equal([
      { place: 'tools › 0 › url', before: 'x', after: 'y' },
      { place: 'gone', before: '1', after: undefined },
      { place: 'made', before: undefined, after: 'null' },
    ]);
    expect(differencesOf(null, null)).to.deep.equal([]);
  });

  it('asks for whole days, and for nothing that is no day', () => {
    const { from = '', to = '' } = momentsOf({ from: '2026-03-01', to: '2026-03-01' });
    expect(Date.parse(to) - Date.parse(from)).to.equal(86_400_000);
    expect(momentsOf({ from: 'yesterday', to: undefined })).to.deep.equal({});
  });

  it('is exported whole, counting records and not lines', async () => {
    const told: number[] = [];
    const audit = {
      export: () => records([{ sequence: 1 }, { sequence: 2 }]),
      exportCsv: () => texts(['sequence,after\r\n1,"a\r', '\nb ""c"""\r\n2,x\r\n']),
    };
    const { signal } = new AbortController();
    const csv = await readExport(audit, { format: 'csv', query: {}, signal }, (now_) =>
      told.push(now_.records),
    );
    expect(told.at(-1)).to.equal(2);
    expect((await csv.text()).split('\r\n')).to.have.length(5);
    const lines = await readExport(audit, { format: 'jsonl', query: {}, signal }, (now_) =>
      told.push(now_.records),
    );
    expect(told.at(-1)).to.equal(2);
    expect(await lines.text()).to.equal('{"sequence":1}\n{"sequence":2}\n');
  });
});

async function* texts(pieces: string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

async function* records(given: { sequence: number }[]): AsyncGenerator<AuditRecord> {
  for (const record of given) yield await Promise.resolve(record as AuditRecord);
}

describe('usage in the console', () => {
  it('is of the last 30 days unless the address says otherwise', () => {
    expect(rangeOf({}, now)).to.deep.equal({
      from: '2026-02-09T00:00:00.000Z',
      to: undefined,
      interval: 'day',
    });
    expect(rangeOf({ from: '2026-03-01', to: '2026-03-02', interval: 'hour' }, now)).to.deep.equal({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-03T00:00:00.000Z',
      interval: 'hour',
    });
    expect(rangeOf({ from: 'x', to: '2026-99-99', interval: 'year' }, now)).to.deep.equal(
      rangeOf({}, now),
    );
    expect(spanFrom(7, now)).to.equal('2026-03-04');
  });

  it('is called today if it is of this UTC day, whose hours begin with 00', () => {
    const [{ value, label }] = spans;
    expect(label).to.equal('Today (UTC)');
    const { from } = rangeOf({ from: spanFrom(Number(value), now) }, now);
    expect(intervalText('hour')(from)).to.equal('Mar 10, 00:00');
  });

  it('is counted in days where hours would be too many', () => {
    expect(rangeOf({ from: '2025-01-01', interval: 'hour' }, now).interval).to.equal('day');
  });

  it('adds up over the lines of a figure', () => {
    const items = [
      { tokensIn: 1, tokensOut: 2 },
      { tokensIn: 10, tokensOut: 20 },
    ] as UsageInterval[];
    expect(sumOf(figures.tokens, items)).to.equal(33);
    expect(linesOf(figures.tokens, items)).to.deep.equal([
      { label: 'In', values: [1, 10] },
      { label: 'Out', values: [2, 20] },
    ]);
  });
});

describe('the first steps', () => {
  it('tick themselves by what is there, without keys for who may not see them', () => {
    const done = (seen: Parameters<typeof stepsOf>[0]) => stepsOf(seen).map((step) => step.done);
    expect(done({ conversations: 0, agents: 1, keys: 1 })).to.deep.equal([false, false, false]);
    expect(done({ conversations: 3, agents: 2, keys: 2 })).to.deep.equal([true, true, true]);
    expect(done({ conversations: 3, agents: 1, keys: undefined })).to.deep.equal([true, false]);
  });
});

describe('a delivery in the console', () => {
  it('says what came back', () => {
    const delivery = {
      id: 'd',
      event: 'task.changed',
      state: 'failed',
      createdAt: '',
      nextAttemptAt: null,
      deliveredAt: null,
    } as const;
    const text = (attempts: number, lastStatus: number | null, lastError: string | null) =>
      responseText({ ...delivery, attempts, lastStatus, lastError });
    expect([
      text(0, null, null),
      text(1, 200, null),
      text(2, 503, 'down'),
      text(3, null, 'refused'),
    ]).to.deep.equal(['Not sent yet', '200', '503: down', 'refused']);
  });
});
