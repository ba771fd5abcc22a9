import { expect } from 'chai';
import pg from 'pg';
import {
  deleteAgent,
  deleteConnection,
  lockAgentToDelete,
  lockConnection,
  type OrganizationScope,
} from '@parley/database';
import { waitFor } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

type Reply = { status: number; body: unknown };

describe('changes that meet', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let observer: pg.Client;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    observer = new pg.Client({ connectionString: api.databaseUrl });
    await observer.connect();
  });
  after(async () => {
    await observer.end();
    await api.stop();
  });

  const create = async (path: string, body: object): Promise<string> =>
    ((await tenant.client.post(path, body)).body as { id: string }).id;

  /** Sends the request while a deletion is not yet committed, and commits once the request waits for it. */
  const during = async (
    deletion: (scope: OrganizationScope) => Promise<unknown>,
    request: () => Promise<Reply>,
  ): Promise<Reply> => {
    const { reply } = await api.database.inOrganization(tenant.id, async (scope) => {
      await deletion(scope);
      const sent = request();
      await waitFor(someoneWaits, { what: 'a request that waits for a lock' });
      return { reply: sent };
    });
    return reply;
  };
  const someoneWaits = async (): Promise<boolean> => {
    const { rowCount } = await observer.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount !== 0;
  };

  it('refuse an agent whose connection is just being deleted', async () => {
    const connectionId = await create('/api/v1/Connection', { name: 'C', kind: 'openai' });
    const { status, body } = await during(
      async (scope) => {
        await lockConnection(scope, connectionId);
        await deleteConnection(scope, connectionId);
      },
      () => tenant.client.post('/api/v1/Agent', { name: 'User', connectionId }),
    );
    expect(status).to.equal(400);
    expect(body).to.have.nested.property('errors[0].path', '/connectionId');
  });

  it('refuse an agent whose sub-agent is just being deleted', async () => {
    const agentId = await create('/api/v1/Agent', { name: 'Sub-agent' });
    const { status, body } = await during(
      async (scope) => {
        await lockAgentToDelete(scope, agentId);
        await deleteAgent(scope, agentId);
      },
      () =>
        tenant.client.post('/api/v1/Agent', {
          name: 'Caller',
          tools: [{ kind: 'subagent', name: 'ask', agentId }],
        }),
    );
    expect(status).to.equal(400);
    expect(body).to.have.nested.property('errors[0].path', '/tools/0/agentId');
  });

  it('let two agents become each other’s sub-agents at once', async () => {
    const ids = [
      await create('/api/v1/Agent', { name: 'A' }),
      await create('/api/v1/Agent', { name: 'B' }),
    ];
    for (let round = 0; round < 10; round += 1) {
      const replies = await Promise.all(
        ids.map((id, at) =>
          tenant.client.patch(`/api/v1/Agent/${id}`, {
            tools: [{ kind: 'subagent', name: 'ask', agentId: ids[1 - at] }],
          }),
        ),
      );
      expect(replies.map(({ status }) => status)).to.deep.equal([200, 200]);
    }
  });
});
