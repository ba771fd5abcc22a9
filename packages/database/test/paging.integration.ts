import { expect } from 'chai';
import { sql } from 'kysely';
import pg from 'pg';
import { agentPage } from '#src/agents.js';
import { insertOrganization } from '#src/organizations.js';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Heap Fetches'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
};

describe('a page of agents', () => {
  let db: MigratedDatabase;
  let organizationId: string;

  before(async () => {
    db = await migratedDatabase();
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
    await db.database.asSystem(({ trx }) =>
      sql`insert into agents (organization_id, name, description, system_message, voice, realtime_enabled, tools)
          select ${organizationId}::uuid, 'Agent ' || n, '', repeat('instructions ', 200), 'alloy', true, '[]'
          from generate_series(1, 10000) n`.execute(trx),
    );
    const owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
    await owner.query('vacuum analyze agents');
    await owner.end();
  });

  after(() => db.drop());

  const wholeRowsRead = (offset: number): Promise<number> =>
    db.database.inOrganization(organizationId, async (scope) => {
      const [answer] = await agentPage(scope, { offset, limit: 50 }, 10_000).explain(
        'json',
        sql`analyze`,
      );
      const [{ Plan: plan }] = answer!['QUERY PLAN'] as [{ Plan: Plan }];
      return wholeRows(plan);
    });

  it('reads as many rows for the last of 10,000 as for the first', async () => {
    expect(await wholeRowsRead(9_950)).to.equal(await wholeRowsRead(0));
  });
});

/** Rows fetched from the table itself; what an index answered alone does not count. */
function wholeRows(plan: Plan): number {
  const onTable = plan['Relation Name'] === 'agents';
  const fetched = plan['Heap Fetches'] ?? plan['Actual Rows'] * plan['Actual Loops'];
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + wholeRows(child), 0);
  return (onTable ? fetched : 0) + below;
}
