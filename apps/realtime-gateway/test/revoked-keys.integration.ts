import { expect } from 'chai';
import {
  closeOrganization,
  deleteMember,
  insertAgent,
  insertApiKey,
  insertMember,
  obtainUser,
  revokeApiKey,
  type SystemScope,
} from '@parley/database';
import { waitFor } from '@parley/testkit';
import { agentFields, insertConversation, newOrganization } from './support/organization.js';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient } from './support/test-client.js';

type Ticket = { organizationId: string; keyId: string; agentId: string; conversationId: string };

/** How a key ends; each is told to PostgreSQL alone, as the administrator's command line does. */
const ends: Record<string, (system: SystemScope, ticket: Ticket) => Promise<unknown>> = {
  'is revoked': (system, { keyId }) => revokeApiKey(system, keyId),
  'has expired': ({ trx }, { keyId }) =>
    trx.updateTable('apiKeys').set({ expiresAt: new Date() }).where('id', '=', keyId).execute(),
  'is one of a deleted organization': (system, { organizationId }) =>
    closeOrganization(system, organizationId, { kind: 'system', name: 'test' }),
};

describe('an API key', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    running = await stage.startGateway({ providerUrl: provider.url });
  });
  after(() => stage.close());

  const newTicket = async (): Promise<Ticket> => {
    const { database, databaseUrl } = stage.stores;
    const organization = await newOrganization(database);
    const { organizationId } = organization;
    const agentId = await database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, agentFields([])),
    );
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    return { ...organization, agentId, conversationId };
  };
  const open = async (ticket: Ticket): Promise<TestClient> => {
    const { path } = await stage.issue(ticket);
    const [, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(running.origin + path),
    ]);
    return client;
  };

  for (const [what, end] of Object.entries(ends)) {
    it(`that ${what} opens nothing with the tokens that it has issued`, async () => {
      const ticket = await newTicket();
      const { path, token } = await stage.issue(ticket);
      await stage.stores.database.asSystem((system) => end(system, ticket));
      const client = new TestClient(`${running.origin}${path}&errors=close`);
      expect(await client.closed).to.deep.equal({ code: 4400, reason: 'RealtimeSessionInvalid' });
      expect(running.gateway.activeSessions).to.equal(0);
      const told = [...running.logs, await running.metrics()].join('\n');
      expect(told).not.to.include(token);
    });

    it(`that ${what} ends its live sessions with the next beat, and no other`, async () => {
      const [ticket, another] = [await newTicket(), await newTicket()];
      const clients = [await open(ticket), await open(ticket)];
      const other = await open(another);
      await stage.stores.database.asSystem((system) => end(system, ticket));
      running.gateway.reread();
      for (const client of clients)
        expect(await client.closed).to.deep.equal({ code: 4412, reason: 'SessionRevoked' });
      await waitFor(() => running.gateway.activeSessions === 1, { what: 'the end of both' });
      await other.leave();
      await waitFor(() => running.gateway.activeSessions === 0, { what: 'the end of all' });
    });
  }

  it('that is revoked ends its sessions by itself: nobody has to tell the gateway', async () => {
    const ticket = await newTicket();
    const client = await open(ticket);
    await stage.stores.database.asSystem((system) => revokeApiKey(system, ticket.keyId));
    expect(await client.closed).to.deep.equal({ code: 4412, reason: 'SessionRevoked' });
  });

  it('leaves the sessions of the organization’s other keys alone', async () => {
    const ticket = await newTicket();
    const { organizationId } = ticket;
    const { record } = await stage.stores.database.asSystem((system) =>
      insertApiKey(system, { organizationId, name: 'second' }),
    );
    const [first, second] = [await open(ticket), await open({ ...ticket, keyId: record.id })];
    await stage.stores.database.asSystem((system) => revokeApiKey(system, ticket.keyId));
    running.gateway.reread();
    expect(await first.closed).to.include({ code: 4412 });
    await second.leave();
    expect(await second.closed).to.include({ code: 1000 });
  });
});

describe('a member who opened sessions', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    running = await stage.startGateway({ providerUrl: provider.url });
  });
  after(() => stage.close());

  it('leaves none behind when they are removed, nor a token that opens one', async () => {
    const { database, organizationId } = stage.stores;
    const newMember = (email: string) =>
      database.asSystem(async ({ trx }) => {
        const userId = await obtainUser({ trx }, { email, name: '' });
        return insertMember({ organizationId, trx }, { userId, role: 'editor' });
      });
    const [memberId = '', another = ''] = [await newMember('a@x.y'), await newMember('b@x.y')];
    const open = async (opener: string) => {
      const { path } = await stage.issue({ keyId: null, memberId: opener });
      const [, client] = await Promise.all([
        provider.nextSession(),
        TestClient.ready(running.origin + path),
      ]);
      return client;
    };
    const [client, other] = [await open(memberId), await open(another)];
    const unused = await stage.issue({ keyId: null, memberId });
    await database.inOrganization(organizationId, (scope) => deleteMember(scope, memberId));
    running.gateway.reread();
    expect(await client.closed).to.deep.equal({ code: 4412, reason: 'SessionRevoked' });
    const late = new TestClient(`${running.origin}${unused.path}&errors=close`);
    expect(await late.closed).to.include({ code: 4400 });
    await other.leave();
    expect(await other.closed).to.include({ code: 1000 });
  });
});
