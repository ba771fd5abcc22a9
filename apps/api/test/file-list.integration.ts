import { expect } from 'chai';
import { sql } from 'kysely';
import { beginUpload } from '@parley/database';
import type { TemporaryFile } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { upload } from './support/upload.js';

describe('the list of temporary files', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
  });
  beforeEach(async () => {
    tenant = await api.organization();
  });
  after(() => api.stop());

  const stored = async (name: string) =>
    (await upload(tenant, { content: 'text', name })).body as TemporaryFile;
  const listed = async (query = '', { client } = tenant) =>
    (await client.get(`/api/v1/TemporaryFile${query}`)).body as { items: TemporaryFile[] };

  it('has them oldest first and page by page, for their own organization', async () => {
    const files = [await stored('a.txt'), await stored('b.txt'), await stored('c.txt')];
    const all = { items: files, total: 3, offset: 0, limit: 50 };
    expect(await listed()).to.deep.equal(all);
    const second = { items: [files[1]], total: 3, offset: 1, limit: 1 };
    expect(await listed('?Offset=1&Limit=1')).to.deep.equal(second);
    expect((await listed('?Offset=2')).items).to.deep.equal([files[2]]);
    expect((await listed('?Offset=1000000000')).items).to.deep.equal([]);
    const stranger = await api.organization();
    expect(await listed('', stranger)).to.deep.include({ items: [], total: 0 });
  });

  it('has none that is not whole yet, was deleted or has expired', async () => {
    const [expired, deleted] = [await stored('a.txt'), await stored('b.txt')];
    const kept = await stored('c.txt');
    await api.database.asSystem(({ trx }) =>
      sql`update temporary_files set expires_at = now() where id = ${expired.id}`.execute(trx),
    );
    await tenant.client.delete(`/api/v1/TemporaryFile/${deleted.id}`);
    await api.database.inOrganization(tenant.id, (scope) =>
      beginUpload(scope, { name: 'half.txt', storage: 'postgres' }),
    );
    expect(await listed()).to.deep.include({ items: [kept], total: 1 });
  });

  for (const query of ['Offset=-1', 'Limit=0', 'Limit=201', 'Limit=1e9', 'Offset=x', 'Name=a'])
    it(`is refused for ${query}`, async () => {
      const reply = await tenant.client.get(`/api/v1/TemporaryFile?${query}`);
      expect([reply.status, problemCode(reply)]).to.deep.equal([400, 'query-invalid']);
    });

  it('needs the scope', async () => {
    const { client } = await api.organization({ scopes: ['agents'] });
    expect(problemCode(await client.get('/api/v1/TemporaryFile'))).to.equal('scope-missing');
  });
});
