import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { createOnce } from '#src/http/idempotency.js';
import {
  createSecretBox,
  createTask,
  insertApiKey,
  type OrganizationScope,
} from '@parley/database';
import { allScopes, Problem } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { contractClient, problemCode, type Reply } from './support/contract-client.js';
import { rawRequest } from './support/raw-request.js';

describe('Idempotency-Key', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());
  beforeEach(async () => {
    tenant = await api.organization();
  });

  const post = (body: unknown, key: string, { client } = tenant): Promise<Reply> =>
    client.post('/api/v1/Task', body, { headers: { 'Idempotency-Key': key } });
  const count = async ({ client } = tenant) =>
    ((await client.get('/api/v1/Task')).body as { total: number }).total;
  const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed');

  it('repeats the answer with its status and headers, and does nothing twice', async () => {
    const first = await post({ title: 'A' }, 'k');
    const again = await post({ title: 'A' }, 'k');
    expect(first.status).to.equal(201);
    expect(replayed(first)).to.equal(null);
    expect(replayed(again)).to.equal('true');
    expect([again.status, again.body]).to.deep.equal([201, first.body]);
    for (const name of ['location', 'etag', 'content-type'])
      expect(again.headers.get(name), name).to.equal(first.headers.get(name));
    expect(await count()).to.equal(1);
  });

  it('answers as at first, whatever became of the resource', async () => {
    const first = await post({ title: 'A' }, 'k');
    await tenant.client.delete(first.headers.get('location') ?? '');
    expect((await post({ title: 'A' }, 'k')).body).to.deep.equal(first.body);
    expect(await count()).to.equal(0);
  });

  it('refuses the key with another body or another path', async () => {
    await post({ title: 'A' }, 'k');
    const other = await post({ title: 'B' }, 'k');
    expect([other.status, problemCode(other)]).to.deep.equal([422, 'idempotency-key-reused']);
    const headers = { 'Idempotency-Key': 'k' };
    const elsewhere = await tenant.client.post('/api/v1/Agent', { name: 'A' }, { headers });
    expect(elsewhere.status).to.equal(422);
  });

  it('belongs to one organization', async () => {
    const other = await api.organization();
    const first = await post({ title: 'A' }, 'k');
    const theirs = await post({ title: 'A' }, 'k', other);
    expect([theirs.status, replayed(theirs)]).to.deep.equal([201, null]);
    expect(theirs.body).not.to.have.property('id', (first.body as { id: string }).id);
  });

  it('belongs to one API key: another of the organization gets neither the answer nor the effect', async () => {
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const path = `/api/v1/Agent/${(body as { id: string }).id}/realtime-session`;
    const headers = { 'Idempotency-Key': 'one-key' };
    const first = await tenant.client.post(path, undefined, { headers });
    for (const scopes of [allScopes, ['agents'] as const, ['realtime'] as const]) {
      const { key } = await api.database.asSystem((system) =>
        insertApiKey(system, { organizationId: tenant.id, name: 'other', scopes }),
      );
      const own = { 'X-Api-Key': key, 'X-Org-Id': tenant.id };
      const other = await contractClient(api.url, own).post(path, undefined, { headers });
      const refusal = (other.body as { errorCode?: string }).errorCode ?? problemCode(other);
      const has = (scopes as readonly string[]).includes('realtime');
      expect(refusal).to.equal(has ? 'idempotency-key-reused' : 'RealtimeNotEnabled');
      const { sessionId } = first.body as { sessionId: string };
      expect(JSON.stringify(other.body)).not.to.include(sessionId);
    }
  });

  it('repeats nothing to a key that has lost the scope since', async () => {
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const path = `/api/v1/Agent/${(body as { id: string }).id}/realtime-session`;
    const headers = { 'Idempotency-Key': 'lost-scope' };
    await tenant.client.post(path, undefined, { headers });
    await tenant.client.patch(`/api/v1/ApiKey/${tenant.keyId}`, { scopes: ['agents'] });
    const again = await tenant.client.post(path, undefined, { headers });
    expect(again.status).to.equal(400);
    expect(again.body).to.have.property('errorCode', 'RealtimeNotEnabled');
  });

  it('repeats the one-time token of a realtime session, which the database holds sealed only', async () => {
    const { body } = await tenant.client.post('/api/v1/Agent', { name: 'A' });
    const path = `/api/v1/Agent/${(body as { id: string }).id}/realtime-session`;
    const headers = { 'Idempotency-Key': 'session' };
    const first = await tenant.client.post(path, undefined, { headers });
    const again = await tenant.client.post(path, undefined, { headers });
    expect([again.status, again.body]).to.deep.equal([200, first.body]);
    const { sessionId } = first.body as { sessionId: string };
    const rows = await api.database.asSystem(({ trx }) =>
      trx.selectFrom('idempotencyKeys').select('answer').where('key', '=', 'session').execute(),
    );
    expect(rows).to.have.length(1);
    expect(rows[0]?.answer?.includes(sessionId)).to.equal(false);
  });

  it('keeps no refusal: the same key may be tried again', async () => {
    await tenant.client.post('/api/v1/Task', { title: 'old', externalId: 'x' });
    const task = { title: 'new', externalId: 'x' };
    expect((await post({ title: '' }, 'k')).status).to.equal(400);
    expect((await post(task, 'k')).status).to.equal(409);
    const [old] = ((await tenant.client.get('/api/v1/Task')).body as { items: { id: string }[] })
      .items;
    await tenant.client.delete(`/api/v1/Task/${old?.id ?? ''}`);
    const retried = await post(task, 'k');
    expect([retried.status, replayed(retried)]).to.deep.equal([201, null]);
  });

  it('must be one text of 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', 'a b', 'ü', 'x'.repeat(256)]) {
      const reply = await post({ title: 'A' }, key);
      expect([reply.status, problemCode(reply)], key).to.deep.equal([
        400,
        'idempotency-key-malformed',
      ]);
    }
    const head = `POST /api/v1/Task HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Api-Key: ${tenant.key}\r\nX-Org-Id: ${tenant.id}`;
    const twice = `${head}\r\nIdempotency-Key: a\r\nIdempotency-Key: a\r\nContent-Length: 0\r\n\r\n`;
    expect(await rawRequest(api.url, twice)).to.match(
      /^HTTP\/1.1 400 .*idempotency-key-malformed/s,
    );
    expect((await post({ title: 'A' }, `"${'~'.repeat(253)}"`)).status).to.equal(201);
  });

  it('is forgotten after 24 hours', async () => {
    const first = await post({ title: 'A' }, 'k');
    await api.database.asSystem(({ trx }) =>
      sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(trx),
    );
    const later = await post({ title: 'B' }, 'k');
    expect([later.status, replayed(later)]).to.deep.equal([201, null]);
    expect(later.body).not.to.have.property('id', (first.body as { id: string }).id);
  });

  it('makes one row of a hundred parallel requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => post({ title: 'A' }, 'parallel')),
    );
    const answered = replies.filter(({ status }) => status === 201);
    expect(answered.filter((reply) => replayed(reply) === null)).to.have.length(1);
    expect(new Set(answered.map(({ body }) => (body as { id: string }).id)).size).to.equal(1);
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      // A machine that is too busy for all of them says so.
      expect(problemCode(reply)).to.be.oneOf(['idempotency-in-progress', 'service-unavailable']);
      expect(Number(reply.headers.get('retry-after'))).to.be.within(1, 16);
    }
    expect(await count()).to.equal(1);
  });

  describe('whose holder is slow', () => {
    const secretBox = createSecretBox(Buffer.alloc(32, 1).toString('base64'));
    const title = 'slow';
    const fields = {
      title,
      description: '',
      status: 'open',
      dueAt: null,
      agentId: null,
      conversationId: null,
      externalId: null,
      metadata: {},
    } as const;
    const work = (scope: OrganizationScope) => createTask(scope, fields);

    it('is taken over once its claim has run out, and the slow one’s work is undone', async () => {
      const once = createOnce({ database: api.database, secretBox });
      const request = {
        organizationId: tenant.id,
        key: randomUUID(),
        fingerprint: Buffer.alloc(32),
      };
      let overtaken: unknown;
      const slow = once(request, (commit) =>
        commit(async (scope) => {
          const task = await work(scope);
          const busy = await once(request, () => Promise.resolve()).catch(
            (error: unknown) => error,
          );
          expect(busy).to.be.instanceOf(Problem).with.property('code', 'idempotency-in-progress');
          await api.database.asSystem(({ trx }) =>
            sql`update idempotency_keys set claimed_until = now() - interval '1 s'
                where key = ${request.key}`.execute(trx),
          );
          overtaken = await once(request, (second) => second(work));
          return task;
        }),
      );
      const lost = await slow.catch((error: unknown) => error);
      expect(lost).to.be.instanceOf(Problem).with.property('code', 'idempotency-in-progress');
      expect(overtaken).to.have.property('replayed', false);
      expect(await count()).to.equal(1);
      expect(await once(request, (commit) => commit(work))).to.have.property('replayed', true);
      expect(await count()).to.equal(1);
    });
  });
});
