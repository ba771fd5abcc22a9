import { expect } from 'chai';
import { Client } from 'pg';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';

describe('verification of the audit log over REST', () => {
  const path = '/api/v1/AuditLog/verification';
  let api: ApiUnderTest;
  let owner: Client;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
    owner = new Client({ connectionString: api.databaseUrl });
    await owner.connect();
  });
  beforeEach(async () => {
    tenant = await api.organization();
    for (const title of ['a', 'b', 'c']) await tenant.client.post('/api/v1/Task', { title });
  });
  after(async () => {
    await owner.end();
    await api.stop();
  });

  const verified = async ({ client } = tenant) => {
    const { status, body } = await client.get(path);
    expect(status, JSON.stringify(body)).to.equal(200);
    const { checkedAt, ...found } = body as { checkedAt: string };
    expect(new Date(checkedAt).toISOString()).to.equal(checkedAt);
    return found;
  };
  const intact = (records: number) => ({ intact: true, records, brokenAt: null, reason: null });

  it('counts the records of a log that is intact, of one without records, too', async () => {
    expect(await verified()).to.deep.equal(intact(3));
    expect(await verified(await api.organization())).to.deep.equal(intact(0));
  });

  const breaks: Record<string, [statement: string, brokenAt: number, reason: string]> = {
    'was changed': [
      `update audit_log set action = 'forged' where organization_id = $1 and sequence = 2`,
      2,
      'its content was changed',
    ],
    'was removed': [
      'delete from audit_log where organization_id = $1 and sequence = 1',
      1,
      'the record is missing',
    ],
    'was cut off the end': [
      'delete from audit_log where organization_id = $1 and sequence = 3',
      3,
      'the end of the log was cut off',
    ],
  };
  for (const [what, [statement, brokenAt, reason]] of Object.entries(breaks))
    it(`names the first record that ${what}, to its own organization alone`, async () => {
      const other = await api.organization();
      await other.client.post('/api/v1/Task', { title: 'theirs' });
      await owner.query(statement, [tenant.id]);
      expect(await verified()).to.deep.equal({
        intact: false,
        records: brokenAt - 1,
        brokenAt,
        reason,
      });
      expect(await verified(other)).to.deep.equal(intact(1));
    });

  it('answers all who ask at once, while records are written', async () => {
    const asked = Array.from({ length: 10 }, () => verified());
    const written = tenant.client.post('/api/v1/Task', { title: 'd' });
    for (const found of await Promise.all(asked)) expect(found).to.include({ intact: true });
    await written;
    expect(await verified()).to.deep.equal(intact(4));
  });

  it('needs the scope, and takes no query', async () => {
    const { client } = await api.organization({ scopes: ['tasks'] });
    expect(problemCode(await client.get(path))).to.equal('scope-missing');
    const reply = await tenant.client.get(`${path}?From=2030-01-01T00:00:00Z`);
    expect([reply.status, problemCode(reply)]).to.deep.equal([400, 'query-invalid']);
  });
});
