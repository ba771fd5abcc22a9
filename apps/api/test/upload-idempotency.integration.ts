import { expect } from 'chai';
import { connectDatabase } from '@parley/database';
import { migratedDatabase, tcpProxy } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';
import { rawRequest } from './support/raw-request.js';
import { formOf, formType, type Part } from './support/upload.js';

const idOf = ({ body }: Reply) => (body as { id: string }).id;
const replayed = ({ headers }: Reply) => headers.get('idempotent-replayed');

describe('an upload with an Idempotency-Key', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
  });
  after(() => api.stop());
  beforeEach(async () => {
    tenant = await api.organization();
  });

  const send = (part: Part, key = 'k', { client } = tenant): Promise<Reply> =>
    client.request('POST', '/api/v1/TemporaryFile', {
      raw: formOf([part]),
      headers: { 'Content-Type': formType, 'Idempotency-Key': key },
    });
  const stored = () =>
    api.database.inOrganization(tenant.id, async ({ trx }) => ({
      files: (await trx.selectFrom('temporaryFiles').select('id').execute()).length,
      keys: (await trx.selectFrom('idempotencyKeys').select('key').execute()).length,
    }));

  it('is answered as at first when the same file comes again', async () => {
    const content = 'line\n'.repeat(100_000);
    const first = await send({ content });
    const again = await send({ content });
    expect([first.status, replayed(first)]).to.deep.equal([201, null]);
    expect([again.status, replayed(again)]).to.deep.equal([201, 'true']);
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('location')).to.equal(first.headers.get('location'));
    expect(await stored()).to.deep.equal({ files: 1, keys: 1 });
  });

  it('is refused when another content, name or type comes with it', async () => {
    await send({ content: 'one' });
    for (const part of [
      { content: 'two' },
      { content: 'one ' },
      { content: 'one', name: 'other.txt' },
      { content: 'one', type: 'text/markdown' },
    ]) {
      const other = await send(part);
      expect([other.status, problemCode(other)]).to.deep.equal([422, 'idempotency-key-reused']);
    }
    expect(replayed(await send({ content: 'one' }))).to.equal('true');
    expect((await stored()).files).to.equal(1);
  });

  it('is refused when the key was used by another operation, and the other way round', async () => {
    const headers = { 'Idempotency-Key': 'task' };
    await tenant.client.post('/api/v1/Task', { title: 'A' }, { headers });
    expect((await send({ content: 'one' }, 'task')).status).to.equal(422);
    await send({ content: 'one' }, 'file');
    const task = await tenant.client.post(
      '/api/v1/Task',
      { title: 'A' },
      { headers: { 'Idempotency-Key': 'file' } },
    );
    expect(task.status).to.equal(422);
  });

  it('may be tried again after it was refused, broken off or malformed', async () => {
    expect((await send({ content: new Uint8Array([0, 1, 2]) })).status).to.equal(415);
    const form = formOf([{ content: 'one' }], { end: '' });
    const head = [
      'POST /api/v1/TemporaryFile HTTP/1.1',
      'Host: x',
      'Connection: close',
      `X-Api-Key: ${tenant.key}`,
      `X-Org-Id: ${tenant.id}`,
      'Idempotency-Key: k',
      `Content-Type: ${formType}`,
      `Content-Length: ${form.length}`,
    ];
    const cut = await rawRequest(api.url, `${head.join('\r\n')}\r\n\r\n${form.toString()}`);
    expect(cut).to.match(/^HTTP\/1.1 400 /);
    expect(await stored()).to.deep.equal({ files: 0, keys: 0 });
    const retried = await send({ content: 'one' });
    expect([retried.status, replayed(retried)]).to.deep.equal([201, null]);
    expect((await stored()).files).to.equal(1);
  });

  it('is not replayed to one who sends less than the whole file again', async () => {
    await send({ content: 'one' });
    const cut = await tenant.client.request('POST', '/api/v1/TemporaryFile', {
      raw: formOf([{ content: 'one' }], { end: '' }),
      headers: { 'Content-Type': formType, 'Idempotency-Key': 'k' },
    });
    expect(cut.status).to.equal(400);
  });

  it('makes one file of twenty parallel ones', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => send({ content: 'one' })));
    const made = replies.filter(({ status }) => status === 201);
    expect(made.filter((reply) => replayed(reply) === null)).to.have.length(1);
    expect(new Set(made.map(idOf)).size).to.equal(1);
    for (const reply of replies.filter(({ status }) => status !== 201))
      // A machine that is too busy for all of them says so.
      expect(problemCode(reply)).to.be.oneOf(['idempotency-in-progress', 'service-unavailable']);
    expect((await stored()).files).to.equal(1);
  });

  it('keeps the file that it made, although PostgreSQL’s response to the commit was lost', async () => {
    const stored = await migratedDatabase();
    const lost: Promise<void>[] = [];
    const proxy = await tcpProxy({
      target: stored.url,
      onRequest(bytes) {
        if (lost.length === 0 && bytes.includes('"extracted_text" = '))
          lost.push(proxy.cutNextReply('commit'));
      },
    });
    const database = connectDatabase({ url: proxy.url });
    const cut = await startApi({ database: { ...stored, database } });
    try {
      const other = await cut.organization();
      expect((await send({ content: 'one' }, 'k', other)).status).to.equal(503);
      await Promise.all(lost);
      expect(lost).to.have.length(1);
      const again = await send({ content: 'one' }, 'k', other);
      expect([again.status, replayed(again)]).to.deep.equal([201, 'true']);
      const path = `/api/v1/TemporaryFile/${idOf(again)}`;
      expect((await other.client.get(path)).body).to.deep.equal(again.body);
      expect((await other.client.get(`${path}/content`)).status).to.equal(200);
    } finally {
      await cut.stop();
      await database.close();
      await proxy.stop();
      await stored.drop();
    }
  });

  it('belongs to one organization', async () => {
    const other = await api.organization();
    const mine = await send({ content: 'one' });
    const theirs = await send({ content: 'one' }, 'k', other);
    expect([theirs.status, replayed(theirs)]).to.deep.equal([201, null]);
    expect(idOf(theirs)).not.to.equal(idOf(mine));
  });
});
