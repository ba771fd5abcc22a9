import { expect } from 'chai';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { upload } from './support/upload.js';

describe('Cache-Control', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
  });
  after(() => api.stop());

  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(api.url + path, { method, headers });
    await response.arrayBuffer();
    return response;
  };

  it('keeps every answer of an operation from being stored, refusals included', async () => {
    const own = { 'X-Api-Key': tenant.key, 'X-Org-Id': tenant.id };
    const { body } = await upload(tenant, { content: 'Hello' });
    const file = `/api/v1/TemporaryFile/${(body as { id: string }).id}/content`;
    const answers: [number, Promise<Response>][] = [
      [200, get('/api/v1/Agent', own)],
      [200, get(file, own)],
      [200, get('/api/v1/AuditLog/export', own)],
      [400, get('/api/v1/Agent/not-an-id', own)],
      [401, get('/api/v1/Agent')],
      [403, get('/api/v1/Agent', { ...own, 'X-Org-Id': '99999999-9999-4999-8999-999999999999' })],
      [404, get('/api/v1/Agent/99999999-9999-4999-8999-999999999999', own)],
      [404, get('/api/v1/Nothing', own)],
      [405, get('/api/v1/Agent', own, 'DELETE')],
    ];
    for (const [status, answer] of answers) {
      const { status: told, url, headers } = await answer;
      expect([told, headers.get('cache-control')], url).to.deep.equal([status, 'no-store']);
    }
  });

  it('lets the contract and the docs be kept', async () => {
    for (const path of ['/api/v1/openapi.json', '/docs/', '/docs/assets/docs.css']) {
      const { status, headers } = await get(path);
      expect(status, path).to.equal(200);
      expect(headers.get('cache-control') ?? '', path).not.to.include('no-store');
    }
  });
});
