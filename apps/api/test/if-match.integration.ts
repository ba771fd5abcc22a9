import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';

const taskOf = ({ body }: Reply) => body as { id: string };

describe('changes of an agent with If-Match', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
  });
  after(() => api.stop());

  it('change only from the state that the caller has seen', async () => {
    const created = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const path = `/api/v1/Agent/${taskOf(created).id}`;
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    expect((await tenant.client.get(path)).headers.get('etag')).to.equal(headers['If-Match']);
    const changed = await tenant.client.patch(path, { secrets: { KEY: 'x' } }, { headers });
    expect(changed.status).to.equal(200);
    expect(changed.headers.get('etag')).not.to.equal(headers['If-Match']);
    const refused = [
      await tenant.client.patch(path, { name: 'B' }, { headers }),
      await tenant.client.put(path, { name: 'B' }, { headers }),
      await tenant.client.delete(path, { headers }),
    ];
    expect(refused.map(problemCode)).to.deep.equal(Array<string>(3).fill('precondition-failed'));
    expect((await tenant.client.get(path)).body).to.include({ name: 'A', version: 2 });
    const now = { 'If-Match': changed.headers.get('etag') ?? '' };
    expect((await tenant.client.delete(path, { headers: now })).status).to.equal(204);
  });

  it('let one of many concurrent changes win', async () => {
    const created = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        tenant.client.patch(`/api/v1/Agent/${taskOf(created).id}`, { name: `B${at}` }, { headers }),
      ),
    );
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([
      200, 412, 412, 412, 412,
    ]);
  });
});

describe('changes of a task with If-Match', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
  });
  after(() => api.stop());

  const put = (id: string, match: string) =>
    tenant.client.put(`/api/v1/Task/${id}`, { title: 'B' }, { headers: { 'If-Match': match } });

  it('change only from the state that the caller has seen', async () => {
    const created = await tenant.client.post('/api/v1/Task', { title: 'A' });
    const { id } = taskOf(created);
    const etag = created.headers.get('etag') ?? '';
    expect(etag).to.match(/^"[!-~]+"$/);
    const changed = await put(id, etag);
    expect(changed.status).to.equal(200);
    expect(changed.headers.get('etag')).not.to.equal(etag);
    const stale = await put(id, etag);
    expect([stale.status, problemCode(stale)]).to.deep.equal([412, 'precondition-failed']);
    const headers = { 'If-Match': etag };
    expect(
      (await tenant.client.patch(`/api/v1/Task/${id}`, { title: 'C' }, { headers })).status,
    ).to.equal(412);
    expect((await tenant.client.delete(`/api/v1/Task/${id}`, { headers })).status).to.equal(412);
  });

  it('honour *, lists and nothing weak', async () => {
    const created = await tenant.client.post('/api/v1/Task', { title: 'A' });
    const { id } = taskOf(created);
    const etag = created.headers.get('etag') ?? '';
    expect((await put(id, `W/${etag}`)).status).to.equal(412);
    expect((await put(id, `"a,b", ${etag}, "c"`)).status).to.equal(200);
    expect((await put(id, '*')).status).to.equal(200);
    for (const bad of ['', 'x', '"open', '"a" "b"', '*, "a"', 'w/"a"']) {
      const reply = await put(id, bad);
      expect([reply.status, problemCode(reply)], bad).to.deep.equal([
        400,
        'precondition-malformed',
      ]);
    }
    expect((await put(randomUUID(), '*')).status).to.equal(404);
  });

  it('let one of many concurrent changes win', async () => {
    const created = await tenant.client.post('/api/v1/Task', { title: 'A' });
    const etag = created.headers.get('etag') ?? '';
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => put(taskOf(created).id, etag)),
    );
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).to.deep.equal([
      200,
      ...Array<number>(9).fill(412),
    ]);
  });

  it('only create with If-None-Match: *', async () => {
    const path = '/api/v1/Task/externalId/new';
    const save = (none: string, title: string) =>
      tenant.client.put(path, { title }, { headers: { 'If-None-Match': none } });
    const created = await save('*', 'A');
    expect(created.status).to.equal(201);
    const again = await save('*', 'B');
    expect([again.status, problemCode(again)]).to.deep.equal([412, 'precondition-failed']);
    const etag = created.headers.get('etag') ?? '';
    expect((await save(etag, 'B')).status).to.equal(412);
    expect((await save(`"other", W/${etag}`, 'B')).status).to.equal(412);
    const malformed = await save('x', 'B');
    expect([malformed.status, problemCode(malformed)]).to.deep.equal([
      400,
      'precondition-malformed',
    ]);
    const task = await tenant.client.get(`/api/v1/Task/${taskOf(created).id}`);
    expect(task.body).to.include({ title: 'A', version: 1 });
    expect((await save('"other"', 'B')).status).to.equal(200);
  });

  it('never create by externalId, nor replace one that took another’s place', async () => {
    const path = '/api/v1/Task/externalId/x';
    const absent = await tenant.client.put(path, { title: 'A' }, { headers: { 'If-Match': '*' } });
    expect(absent.status).to.equal(412);
    const first = await tenant.client.put(path, { title: 'A' });
    await tenant.client.delete(`/api/v1/Task/${taskOf(first).id}`);
    await tenant.client.put(path, { title: 'A' });
    const headers = { 'If-Match': first.headers.get('etag') ?? '' };
    expect((await tenant.client.put(path, { title: 'B' }, { headers })).status).to.equal(412);
  });
});
