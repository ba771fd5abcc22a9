import { expect } from 'chai';
import { verifyAudit } from '@parley/database';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';

describe('audit of changes', () => {
  let api: ApiUnderTest;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());

  it('records every change with its actor, before and after, and no secret', async () => {
    const { id, keyId, client } = await api.organization();
    const connection = (
      await client.post('/api/v1/Connection', { name: 'C', kind: 'openai', secret: 's3cret-1' })
    ).body as { id: string };
    await client.patch(`/api/v1/Connection/${connection.id}`, { name: 'C2', secret: 's3cret-2' });
    const agent = (await client.post('/api/v1/Agent', { name: 'A', secrets: { K: 's3cret-3' } }))
      .body as { id: string };
    await client.put(`/api/v1/Agent/${agent.id}`, { name: 'B' });
    await client.patch(`/api/v1/Agent/${agent.id}`, { secrets: { K: 's3cret-4' } });
    await client.delete(`/api/v1/Agent/${agent.id}`);
    await client.delete(`/api/v1/Connection/${connection.id}`);
    await client.get('/api/v1/Agent');
    await client.patch(`/api/v1/Agent/${agent.id}`, { name: 'gone' });
    await client.post('/api/v1/Agent', { name: '' });

    const records = await api.database.asSystem(({ trx }) =>
      trx
        .selectFrom('auditLog')
        .selectAll()
        .where('organizationId', '=', id)
        .orderBy('sequence')
        .execute(),
    );
    expect(records.map(({ action, resourceId }) => [action, resourceId])).to.deep.equal([
      ['connection.created', connection.id],
      ['connection.updated', connection.id],
      ['agent.created', agent.id],
      ['agent.updated', agent.id],
      ['agent.updated', agent.id],
      ['agent.deleted', agent.id],
      ['connection.deleted', connection.id],
    ]);
    for (const { actor } of records)
      expect(actor).to.deep.equal({ kind: 'key', id: keyId, name: 'test' });
    expect(records[3]).to.have.nested.property('before.name', 'A');
    expect(records[3]).to.have.nested.property('after.name', 'B');
    expect(records[4]).to.have.nested.property('after.secretsWritten[0]', 'K');
    expect(JSON.stringify(records)).not.to.include('s3cret');
    expect(await verifyAudit(api.database, id)).to.deep.equal({
      ok: true,
      records: 7,
    });
  });
});
