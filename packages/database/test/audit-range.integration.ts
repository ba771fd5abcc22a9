import { expect } from 'chai';
import { sql } from 'kysely';
import pg from 'pg';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';
import { auditRange, auditSequences, listAudit, nextAudit } from '#src/audit/audit-records.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import type { OrganizationScope } from '#src/postgres/database.js';

type Plan = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

const records = 50_000;
const start = Date.parse('2026-01-01T00:00:00Z');
/** One record a second, but for one, whose clock was an hour behind. */
const timeOf = (sequence: number) => new Date(start + sequence * 1000);
const late = 25_000;

describe('a part of a long audit log', () => {
  let db: MigratedDatabase;
  let organizationId: string;

  before(async () => {
    db = await migratedDatabase();
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
    const owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
    await owner.query(
      `insert into audit_log (organization_id, sequence, occurred_at, actor, action, resource_type,
         previous_hash, hash)
       select $1, n, $2::timestamptz + make_interval(secs => case n when $3 then n - 3600 else n end),
         '{"kind":"key"}', 'agent.updated', 'agent', '\\x00', '\\x00'
       from generate_series(1, $4::int) n`,
      [organizationId, new Date(start), late, records],
    );
    await owner.query('vacuum analyze audit_log');
    await owner.end();
  });
  after(() => db.drop());

  const inside = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    db.database.inOrganization(organizationId, work);

  it('is read without what comes before and after it', async () => {
    const [from, to] = [timeOf(40_000), timeOf(45_000)];
    const range = await inside((scope) => auditRange(scope, { from, to }));
    expect(range).to.deep.equal({ after: 39_999, through: 44_999 });
    for (const offset of [0, 4950]) {
      const part = { page: { offset, limit: 50 }, total: 5000, range };
      const [answer] = await inside((scope) =>
        auditSequences(scope, { from, to }, part).explain('json', sql`analyze`),
      );
      const [{ Plan: plan }] = answer!['QUERY PLAN'] as [{ Plan: Plan }];
      expect(rowsRead(plan)).to.equal(50);
    }
  });

  it('contains what a clock that was set back dates into it', async () => {
    const [from, to] = [timeOf(late - 3600), timeOf(late - 3598)];
    const { range, page, batch } = await inside(async (scope) => {
      const range = await auditRange(scope, { from, to });
      const page = await listAudit(scope, { from, to }, { offset: 0, limit: 10 });
      return { range, page, batch: await nextAudit(scope, { from, to }, range) };
    });
    const expected = [late - 3600, late - 3599, late];
    expect(range).to.deep.equal({ after: late - 3601, through: late });
    expect(page.items.map(({ sequence }) => sequence)).to.deep.equal(expected);
    expect(batch.map(({ sequence }) => sequence)).to.deep.equal(expected);
  });

  it('may be empty', async () => {
    const filter = { from: timeOf(records + 1) };
    const { range, page } = await inside(async (scope) => ({
      range: await auditRange(scope, filter),
      page: await listAudit(scope, filter, { offset: 0, limit: 10 }),
    }));
    expect(range).to.deep.equal({ after: 0, through: 0 });
    expect(page).to.deep.equal({ items: [], total: 0, rest: [] });
  });
});

function rowsRead(plan: Plan): number {
  const here = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  return (plan['Relation Name'] === 'audit_log' ? here : 0) + below;
}
