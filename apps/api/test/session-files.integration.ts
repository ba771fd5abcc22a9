import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createSessionTokens, hashSessionToken } from '@parley/session-store';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { upload } from './support/upload.js';

describe('a realtime session with files', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let agentId: string;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    agentId = idOf(await tenant.client.post('/api/v1/Agent', { name: 'Ada' }));
  });
  after(() => api.stop());

  const idOf = ({ body }: { body: unknown }) => (body as { id: string }).id;
  const newFile = async (of: Tenant = tenant) => idOf(await upload(of, { content: 'text' }));
  const create = (fileIds: unknown) =>
    tenant.client.post(`/api/v1/Agent/${agentId}/realtime-session`, { fileIds });

  it('keeps them in its ticket, in their order', async () => {
    const files = [await newFile(), await newFile()];
    const reply = await create([files[0]?.toUpperCase(), files[1]]);
    expect(reply.status).to.equal(200);
    const { sessionId } = reply.body as { sessionId: string };
    const outcome = await createSessionTokens(api.redis).consume(
      hashSessionToken(sessionId),
      randomUUID(),
    );
    expect(outcome).to.have.deep.nested.property('ticket.fileIds', files);
  });

  it('refuses each file that is deleted, another organization’s or made up, all alike', async () => {
    const deleted = await newFile();
    await tenant.client.delete(`/api/v1/TemporaryFile/${deleted}`);
    const foreign = await newFile(await api.organization());
    const reply = await create([await newFile(), deleted, foreign, randomUUID()]);
    expect(reply.status).to.equal(400);
    const message = 'is not a temporary file of the organization, or has expired';
    expect(reply.body).to.have.deep.property(
      'errors',
      [1, 2, 3].map((n) => ({ path: `/fileIds/${n}`, message })),
    );
  });

  it('refuses what is no list of at most ten different ids', async () => {
    const id = await newFile();
    const wrong = ['x', null, [1], ['x'], [id, id], Array.from({ length: 11 }, () => randomUUID())];
    for (const fileIds of wrong)
      expect((await create(fileIds)).status, JSON.stringify(fileIds)).to.equal(400);
  });
});
