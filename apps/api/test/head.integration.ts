import { expect } from 'chai';
import type { TemporaryFile } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { listenTo } from './support/event-reader.js';
import { recordSeed } from './support/record-seed.js';
import { upload } from './support/upload.js';

/** Different for each request, or about the connection. */
const passing =
  /^(date|x-request-id|transfer-encoding|connection|keep-alive|ratelimit.*|x-ratelimit.*)$/;

describe('HEAD', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let conversationId: string;
  let fileId: string;
  before(async () => {
    api = await startApi({ events: { streams: 1 } });
    tenant = await api.organization();
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const seed = recordSeed(api.database, tenant.id);
    conversationId = (await seed.conversation((body as { id: string }).id)).id;
    const content = 'x'.repeat(600_000);
    fileId = ((await upload(tenant, { content })).body as TemporaryFile).id;
  });
  after(() => api.stop());

  const ask = async (method: string, path: string, accept: string) => {
    const leaving = new AbortController();
    const response = await fetch(api.url + path, {
      method,
      signal: leaving.signal,
      headers: {
        ...{ 'X-Api-Key': tenant.key, 'X-Org-Id': tenant.id, Accept: accept },
        Authorization: `Bearer ${tenant.key}`,
      },
    });
    const headers = [...response.headers].filter(([name]) => !passing.test(name));
    const body = method === 'HEAD' ? await response.text() : undefined;
    leaving.abort();
    return { status: response.status, headers: Object.fromEntries(headers), body };
  };
  const openStreams = () => api.metrics.registry.getSingleMetricAsString('parley_event_streams');

  const streamed: [string, () => string][] = [
    ['the export of the audit log', () => '/api/v1/AuditLog/export'],
    ['the export of the audit log as CSV', () => '/api/v1/AuditLog/export?Format=csv'],
    ['the export of a conversation', () => `/api/v1/Conversation/${conversationId}/export`],
    ['the content of a file', () => `/api/v1/TemporaryFile/${fileId}/content`],
    ['events', () => '/api/v1/Event'],
  ];
  const others: [string, () => string][] = [
    '/api/v1/Agent',
    '/api/v1/openapi.json',
    '/docs',
    '/console/',
    '/widget.js',
    '/',
    '/v1/models',
  ].map((path) => [path, () => path]);
  for (const [what, path] of [...streamed, ...others])
    it(`of ${what} gets the status and the headers of GET, and ends`, async () => {
      const accept = what.startsWith('/') && !what.includes('v1') ? 'text/html' : '*/*';
      const head = await ask('HEAD', path(), accept);
      const get = await ask('GET', path(), accept);
      expect(head).to.deep.equal({ ...get, body: '' });
      expect(head.status).to.equal(200);
    });

  it('of events listens to nothing', async () => {
    const own = await api.organization();
    const before = await openStreams();
    for (let n = 0; n < 3; n += 1) {
      const { status } = await own.client.request('HEAD', '/api/v1/Event');
      expect(status).to.equal(200);
      expect(await openStreams()).to.equal(before);
    }
    const reader = await listenTo(api, own);
    expect(reader.response.status).to.equal(200);
    expect((await own.client.request('HEAD', '/api/v1/Event')).status).to.equal(429);
    reader.close();
  });
});
