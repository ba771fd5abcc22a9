import { expect } from 'chai';
import { connectDatabase, type Database } from '@parley/database';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';

describe('requests with wrong keys', () => {
  const failuresPerMinute = 5;
  let api: ApiUnderTest;
  let tenant: Tenant;
  let other: Tenant;
  let migrated: MigratedDatabase;
  let lookUps = 0;
  before(async () => {
    migrated = await migratedDatabase();
    const connected = connectDatabase({ url: migrated.url });
    const database: Database = {
      ...connected,
      read(organizationId, query, parameters) {
        if (organizationId === null) lookUps += 1;
        return connected.read(organizationId, query, parameters);
      },
    };
    api = await startApi({
      failuresPerMinute,
      trustedProxies: ['127.0.0.1'],
      database: { ...migrated, database },
    });
    [tenant, other] = [await api.organization(), await api.organization()];
  });
  beforeEach(() => (lookUps = 0));
  after(async () => {
    await api.stop();
    await api.database.close();
    await migrated.drop();
  });

  const ask = (from: string, headers: Record<string, string>) =>
    fetch(`${api.url}/api/v1/Agent`, { headers: { 'X-Forwarded-For': from, ...headers } });
  const wrong = () => ({ 'X-Api-Key': 'parley_test_wrong', 'X-Org-Id': tenant.id });
  const right = () => ({ 'X-Api-Key': tenant.key, 'X-Org-Id': tenant.id });
  const failures = async (outcome: string) => {
    const text = await api.metrics.registry.metrics();
    const line = new RegExp(
      `^parley_authentication_failures_total\\{.*"${outcome}".*\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(text)?.[1]);
  };

  it('are refused before the database is asked, once an address has sent too many', async () => {
    const from = '203.0.113.1';
    const before = await failures('throttled');
    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) statuses.push((await ask(from, wrong())).status);
    expect(statuses.filter((status) => status === 401)).to.have.length(failuresPerMinute);
    expect(statuses.slice(failuresPerMinute)).to.deep.equal(Array(35).fill(429));
    expect(lookUps).to.equal(failuresPerMinute);
    expect((await failures('throttled')) - before).to.equal(35);
    const refused = await ask(from, wrong());
    expect(Number(refused.headers.get('Retry-After'))).to.be.within(1, 60);
    expect(await refused.json()).to.include({ type: '/docs/errors#rate-limited', status: 429 });
  });

  it('lock out neither other addresses nor a key that was good from the same one', async () => {
    const from = '203.0.113.2';
    expect((await ask(from, right())).status).to.equal(200);
    for (let n = 0; n <= failuresPerMinute; n += 1) await ask(from, wrong());
    expect((await ask(from, wrong())).status).to.equal(429);
    expect((await ask(from, right())).status).to.equal(200);
    expect((await ask('203.0.113.3', wrong())).status).to.equal(401);
  });

  it('are counted with those of a good key for another organization, or without the scope', async () => {
    const { key, id } = await api.organization({ scopes: ['tasks'] });
    const tries = [
      { 'X-Api-Key': tenant.key, 'X-Org-Id': other.id },
      { 'X-Api-Key': tenant.key, 'X-Org-Id': 'nonsense' },
      { 'X-Api-Key': key, 'X-Org-Id': id },
    ];
    for (const [n, headers] of tries.entries()) {
      const statuses: number[] = [];
      for (let m = 0; m < 8; m += 1)
        statuses.push((await ask(`203.0.113.${10 + n}`, headers)).status);
      expect(statuses.slice(failuresPerMinute), String(n)).to.deep.equal([429, 429, 429]);
    }
    expect(lookUps).to.equal(tries.length * failuresPerMinute);
  });
});
