import { expect } from 'chai';
import { sql, type SelectQueryBuilder } from 'kysely';
import pg from 'pg';
import { agentPage, insertAgent } from '#src/agents/agents.js';
import { conversationPage, insertConversation } from '#src/conversations/conversations.js';
import type { OrganizationScope } from '#src/postgres/database.js';
import { messagePage } from '#src/conversations/list-messages.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import type { Schema } from '#src/postgres/schema.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Heap Fetches'?: number;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};
type Page = { offset: number; limit: number; total: number };
type Query = Pick<SelectQueryBuilder<Schema, keyof Schema, object>, 'explain'>;

describe('the last page of a list of 10,000', () => {
  let db: MigratedDatabase;
  let organizationId: string;
  let agentId: string;
  let conversationId: string;

  before(async () => {
    db = await migratedDatabase();
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
    await db.database.inOrganization(organizationId, async (scope) => {
      agentId = await insertAgent(scope, plainAgent);
      ({ id: conversationId } = await insertConversation(scope, agentId));
    });
    await db.database.asSystem(async ({ trx }) => {
      await sql`insert into agents (organization_id, name, description, system_message, voice, realtime_enabled, tools)
                select ${organizationId}::uuid, 'Agent ' || n, '', repeat('instructions ', 200), 'alloy', true, '[]'
                from generate_series(2, 10000) n`.execute(trx);
      await sql`insert into conversations (organization_id, agent_id)
                select ${organizationId}::uuid, ${agentId}::uuid from generate_series(2, 10000)`.execute(
        trx,
      );
      await sql`insert into messages (organization_id, conversation_id, position, role, content, status)
                select ${organizationId}::uuid, ${conversationId}::uuid, n, 'user', repeat('words ', 50), 'completed'
                from generate_series(1, 10000) n`.execute(trx);
    });
    const owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
    await owner.query(
      `insert into realtime_sessions (id, organization_id, agent_id, conversation_id, token_hash, ended_at, end_reason, close_code)
       select gen_random_uuid(), organization_id, agent_id, id, sha256(id::text::bytea), now(), 'InternalError', 1011 from conversations`,
    );
    await owner.query(
      `insert into runs (id, organization_id, agent_id, conversation_id, state)
       select gen_random_uuid(), organization_id, agent_id, id, 'failed' from conversations`,
    );
    await owner.query('vacuum analyze agents, conversations, messages, realtime_sessions, runs');
    await owner.end();
  });

  after(() => db.drop());

  const lists: [string, string, (scope: OrganizationScope, page: Page) => Query][] = [
    ['agents', 'agents', (scope, { total, ...page }) => agentPage(scope, page, total)],
    ['conversations', 'conversations', (scope, page) => conversationPage(scope, {}, page)],
    [
      'an agent’s conversations',
      'conversations',
      (scope, page) => conversationPage(scope, { agentId }, page),
    ],
    ['messages', 'messages', (scope, page) => messagePage(scope, conversationId, page)],
  ];
  for (const [title, table, query] of lists)
    it(`reads as many rows as the first one: ${title}`, async () => {
      const rowsRead = (offset: number): Promise<number> =>
        db.database.inOrganization(organizationId, async (scope) => {
          const page = { offset, limit: 50, total: 10_000 };
          const [answer] = await query(scope, page).explain('json', sql`analyze`);
          const [{ Plan: plan }] = answer!['QUERY PLAN'] as [{ Plan: Plan }];
          return wholeRows(plan, table);
        });
      expect(await rowsRead(0)).to.equal(50);
      expect(await rowsRead(9_950)).to.equal(50);
    });

  it('looks at the sessions and questions of its own conversations alone', async () => {
    const plan = await db.database.inOrganization(organizationId, async (scope) => {
      const page = { offset: 9_950, limit: 50, total: 10_000 };
      const [answer] = await conversationPage(scope, {}, page).explain('json', sql`analyze`);
      return (answer!['QUERY PLAN'] as [{ Plan: Plan }])[0].Plan;
    });
    for (const table of ['realtime_sessions', 'runs'])
      expect(rowsRead(plan, table), table).to.be.at.most(50);
  });
});

function rowsRead(plan: Plan, table: string): number {
  const here = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), 0);
  return (plan['Relation Name'] === table ? here : 0) + below;
}

/** Rows fetched from the table itself; what an index answered alone does not count. */
function wholeRows(plan: Plan, table: string): number {
  const onTable = plan['Relation Name'] === table;
  const fetched = plan['Heap Fetches'] ?? plan['Actual Rows'] * plan['Actual Loops'];
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + wholeRows(child, table), 0);
  return (onTable ? fetched : 0) + below;
}
