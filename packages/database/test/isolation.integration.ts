import { expect } from 'chai';
import { sql } from 'kysely';
import {
  deleteAgent,
  findAgent,
  findIssuableAgent,
  findSubagents,
  hasAgent,
  insertAgent,
  listAgents,
} from '#src/agents/agents.js';
import { insertConnection } from '#src/agents/connections.js';
import { findSealedAgent } from '#src/agents/sealed-agents.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';

describe('organization isolation', () => {
  let db: MigratedDatabase;
  let ours: string;
  let theirs: string;

  before(async () => {
    db = await migratedDatabase();
    const [a, b] = await db.database.asSystem(async (system) => [
      await insertOrganization(system, { name: 'Ours' }),
      await insertOrganization(system, { name: 'Theirs' }),
    ]);
    ours = a.id;
    theirs = b.id;
  });

  after(() => db.drop());

  it('hides another organization’s rows from a repository', async () => {
    const id = await db.database.inOrganization(theirs, (scope) => insertAgent(scope, plainAgent));
    await db.database.inOrganization(ours, async (scope) => {
      expect(await findAgent(scope, id)).to.equal(undefined);
      expect(await listAgents(scope, { offset: 0, limit: 10 })).to.deep.equal({
        items: [],
        total: 0,
        rest: [],
      });
    });
  });

  it('hides them from a query that forgets its organization too', async () => {
    await db.database.inOrganization(theirs, (scope) => insertAgent(scope, plainAgent));
    await db.database.inOrganization(ours, async ({ trx }) => {
      expect(await trx.selectFrom('agents').selectAll().execute()).to.deep.equal([]);
      const { numUpdatedRows } = await trx
        .updateTable('agents')
        .set({ name: 'x' })
        .executeTakeFirstOrThrow();
      expect(numUpdatedRows).to.equal(0n);
      const organizations = await trx.selectFrom('organizations').select('id').execute();
      expect(organizations).to.deep.equal([{ id: ours }]);
    });
  });

  it('refuses a row written for another organization', async () => {
    const failure: unknown = await db.database
      .inOrganization(ours, ({ trx }) =>
        insertConnection(
          { trx, organizationId: theirs },
          { name: 'x', kind: 'openai', baseUrl: null, models: [], realtime: true, enabled: true },
        ),
      )
      .catch((error: unknown) => error);
    expect((failure as Error).message).to.match(/row-level security/);
  });

  it('leaves nothing of one caller’s view on a pooled connection', async () => {
    await db.database.inOrganization(ours, () => Promise.resolve());
    const pools = Array.from({ length: 20 }, (_, i) =>
      db.database.inOrganization(i % 2 ? ours : theirs, async ({ trx }) => {
        const { rows } = await sql<{
          id: string;
          who: string;
        }>`select current_setting('parley.organization_id') as id, current_user as who`.execute(
          trx,
        );
        expect(rows[0]).to.deep.equal({ id: i % 2 ? ours : theirs, who: 'parley_app' });
      }),
    );
    await Promise.all(pools);
  });

  it('hides another organization’s agents, and deleted ones, from whoever looks for one', async () => {
    const add = (organizationId: string) =>
      db.database.inOrganization(organizationId, (scope) => insertAgent(scope, plainAgent));
    const [own, gone, foreign] = [await add(ours), await add(ours), await add(theirs)];
    await db.database.inOrganization(ours, async (scope) => {
      await deleteAgent(scope, gone);
      expect(await hasAgent(scope, own)).to.equal(true);
      expect(await findIssuableAgent(scope, own)).to.include({ id: own });
      expect(await findSealedAgent(scope, own)).to.have.nested.property('agent.id', own);
      const subagents = await findSubagents(scope, [gone, own, foreign, own]);
      expect(subagents.map(({ id }) => id)).to.deep.equal([own]);
      for (const id of [gone, foreign]) {
        expect(await hasAgent(scope, id)).to.equal(false);
        expect(await findIssuableAgent(scope, id)).to.equal(undefined);
        expect(await findSealedAgent(scope, id)).to.equal(undefined);
      }
    });
  });
});
