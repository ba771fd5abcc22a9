import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { appendAudit, revokeApiKey } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import type { Reply } from './support/contract-client.js';

type Item = { sequence: number; action: string; occurredAt: string; actor: object };

const itemsOf = ({ body }: Reply) => (body as { items: Item[] }).items;
const linesOf = ({ body }: Reply) =>
  (body as string)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Item);

describe('the audit log over REST', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let all: Item[];
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    const { client } = tenant;
    for (const title of ['a', 'b', 'c']) await client.post('/api/v1/Task', { title });
    const { body } = await client.post('/api/v1/Agent', { name: '=cmd|"x",\r\n' });
    await client.delete(`/api/v1/Agent/${(body as { id: string }).id}`);
    all = itemsOf(await client.get('/api/v1/AuditLog'));
  });
  after(() => api.stop());

  const list = async (query: string) =>
    itemsOf(await tenant.client.get(`/api/v1/AuditLog?${query}`)).map(({ sequence }) => sequence);
  const exported = async (query: string) =>
    linesOf(await tenant.client.get(`/api/v1/AuditLog/export?${query}`)).map(
      ({ sequence }) => sequence,
    );

  it('ends an export with the API key that asked for it', async () => {
    const { id, key, keyId } = await api.organization();
    const actor = { kind: 'system', name: 'test' } as const;
    const entry = {
      actor,
      action: 'task.updated',
      resourceType: 'task',
      resourceId: null,
    } as const;
    // More than the sockets hold, in words that PostgreSQL cannot make shorter.
    for (let n = 0; n < 200; n += 1)
      await api.database.inOrganization(id, (scope) =>
        appendAudit(scope, { ...entry, after: randomBytes(75_000).toString('base64') }),
      );
    const headers = { 'X-Api-Key': key, 'X-Org-Id': id };
    const response = await fetch(`${api.url}/api/v1/AuditLog/export`, { headers });
    const reader = response.body!.getReader();
    await reader.read();
    await api.database.asSystem((system) => revokeApiKey(system, keyId));
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    const failure: unknown = await rest().catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    expect(api.logLines.join('\n')).not.to.include(key);
  });

  it('lists records in order, page by page, with their chain', async () => {
    expect(all.map(({ sequence, action }) => [sequence, action])).to.deep.equal([
      [1, 'task.created'],
      [2, 'task.created'],
      [3, 'task.created'],
      [4, 'agent.created'],
      [5, 'agent.deleted'],
    ]);
    expect(all[0]).to.have.property('previousHash', '0'.repeat(64));
    expect(all[1]).to.have.property('previousHash', (all[0] as Item & { hash: string }).hash);
    expect(all[0]?.actor).to.deep.equal({ kind: 'key', id: tenant.keyId, name: 'test' });
    expect(await list('Offset=1&Limit=2')).to.deep.equal([2, 3]);
    expect(await list('Offset=4&Limit=2')).to.deep.equal([5]);
    expect(await list('Offset=9')).to.deep.equal([]);
  });

  for (const read of [list, exported] as const)
    it(`filters ${read === list ? 'the list' : 'the export'} by action, actor and time`, async () => {
      const third = all[2]!.occurredAt;
      expect(await read('Action=agent.created')).to.deep.equal([4]);
      expect(await read(`Actor=${tenant.keyId}&Action=task.created`)).to.deep.equal([1, 2, 3]);
      expect(await read('Actor=test')).to.have.length(5);
      expect(await read('Actor=nobody')).to.deep.equal([]);
      const before = all.filter(({ occurredAt }) => occurredAt < third);
      expect(await read(`To=${third}`)).to.have.length(before.length);
      expect(await read(`From=${third}`)).to.have.length(5 - before.length);
      for (const bad of ['From=now', 'Actor=', 'Sequence=1'])
        expect((await tenant.client.get(`/api/v1/AuditLog?${bad}`)).status, bad).to.equal(400);
    });

  it('exports what it lists, byte for byte as JSON, and says how far it goes', async () => {
    const reply = await tenant.client.get('/api/v1/AuditLog/export');
    expect(reply.headers.get('content-type')).to.equal('application/x-ndjson');
    expect(reply.headers.get('audit-through')).to.equal('5');
    expect(linesOf(reply)).to.deep.equal(all);
  });

  it('goes on after any record', async () => {
    expect(await exported('After=2')).to.deep.equal([3, 4, 5]);
    expect(await exported('After=2&Action=agent.deleted')).to.deep.equal([5]);
    expect(await exported('After=5')).to.deep.equal([]);
    for (const bad of ['-1', '1.5', '99999999999999999999', 'x'])
      expect(
        (await tenant.client.get(`/api/v1/AuditLog/export?After=${bad}`)).status,
        bad,
      ).to.equal(400);
    expect((await tenant.client.get('/api/v1/AuditLog/export?Format=xml')).status).to.equal(400);
  });

  it('exports CSV that a spreadsheet does not run', async () => {
    const { id, client } = await api.organization();
    const names = ['=1+1', '+1', '-1', '@x', '\tx', '\rx', '＝1', 'a "b", c\r\nd', 'plain'];
    await api.database.asSystem(({ trx }) =>
      sql`insert into audit_log select ${id}::uuid, n, now(), jsonb_build_object('kind', 'system', 'name', name),
            'x', 'x', null, null, '{"=a": 1}', decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
          from unnest(${names}::text[]) with ordinality as names(name, n)`.execute(trx),
    );
    await api.database.asSystem(({ trx }) =>
      trx
        .insertInto('auditHeads')
        .values({ organizationId: id, sequence: names.length, hash: Buffer.alloc(32) })
        .execute(),
    );
    const reply = await client.get('/api/v1/AuditLog/export?Format=csv');
    expect(reply.headers.get('content-disposition')).to.equal(
      'attachment; filename="audit-log.csv"',
    );
    const rows = parseCsv(reply.body as string);
    expect(rows[0]).to.include.members(['sequence', 'actorName', 'before', 'after', 'hash']);
    const column = rows[0]!.indexOf('actorName');
    expect(rows.slice(1).map((cells) => cells[column])).to.deep.equal(
      names.map((name) => (/^[a-z]/.test(name) ? name : `'${name}`)),
    );
    expect(rows[1]?.[rows[0]!.indexOf('after')]).to.equal('{"=a":1}');
    for (const cells of rows) expect(cells).to.have.length(12);
  });

  it('shows an organization its own records only, and a key without the scope none', async () => {
    const other = await api.organization();
    expect((await other.client.get('/api/v1/AuditLog')).body).to.have.property('total', 0);
    expect((await other.client.get('/api/v1/AuditLog/export')).body).to.equal('');
    const narrow = await api.organization({ scopes: ['agents', 'tasks'] });
    for (const path of ['/api/v1/AuditLog', '/api/v1/AuditLog/export'])
      expect((await narrow.client.get(path)).status).to.equal(403);
  });
});

/** RFC 4180, as strictly as it is written. */
function parseCsv(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error('not CSV');
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
