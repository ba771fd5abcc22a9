import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { ConnectionTest } from '@parley/protocol';
import { startSimulator } from '@parley/provider-simulator';
import { freePort } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';

const secret = 'sk-not-to-be-told';

describe('Testing a connection', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let simulator: Awaited<ReturnType<typeof startSimulator>>;
  let parrot: Server;
  let parrotUrl: string;

  before(async () => {
    simulator = await startSimulator();
    const fallback = { kind: 'simulator', baseUrl: simulator.url, secret: 'sk-own' } as const;
    api = await startApi({ egressAllow: ['127.0.0.1'], defaultConnection: fallback });
    tenant = await api.organization();
    parrot = createServer(({ headers }, response) => {
      const { authorization = '' } = headers;
      const encoded = Buffer.from(authorization).toString('base64');
      const message = `What is ${authorization} (${encoded})?`;
      response.writeHead(401).end(JSON.stringify({ error: { code: 'wrong', message } }));
    });
    parrot.listen(0, '127.0.0.1');
    await once(parrot, 'listening');
    parrotUrl = `http://127.0.0.1:${(parrot.address() as AddressInfo).port}`;
  });
  after(async () => {
    await api.stop();
    await simulator.close();
    parrot.close();
  });

  const create = async (fields: object): Promise<string> => {
    const body = { name: 'C', kind: 'openai-compatible', secret, ...fields };
    const reply = await tenant.client.post('/api/v1/Connection', body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return (reply.body as { id: string }).id;
  };
  const test = async (fields: object): Promise<ConnectionTest> => {
    const reply = await tenant.client.post(`/api/v1/Connection/${await create(fields)}/test`);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    expect(JSON.stringify(reply.body)).not.to.include(secret);
    return reply.body as ConnectionTest;
  };

  it('opens a realtime session, with a model that the connection offers', async () => {
    const baseUrl = simulator.url;
    expect(await test({ baseUrl })).to.deep.include({
      ok: true,
      detail: 'A realtime session with gpt-realtime was opened.',
    });
    expect(await test({ baseUrl, models: ['gpt-realtime-mini'] })).to.deep.include({
      ok: true,
      detail: 'A realtime session with gpt-realtime-mini was opened.',
    });
  });

  it('lists the models of a connection that is not for realtime, and of one that is switched off', async () => {
    const fields = { baseUrl: simulator.url, realtime: false, enabled: false };
    expect(await test(fields)).to.deep.include({
      ok: true,
      detail: 'The provider lists 4 models.',
    });
  });

  it('dials the deployment’s simulator for a simulator without an address', async () => {
    expect(await test({ kind: 'simulator' })).to.include({ ok: true });
  });

  for (const realtime of [true, false])
    it(`gives the provider’s words for a wrong key, ${realtime ? 'in a session' : 'in text'}`, async () => {
      const { ok, detail } = await test({
        baseUrl: simulator.url,
        secret: 'sim-invalid-key',
        realtime,
      });
      expect({ ok, says: detail.includes('invalid_api_key') }).to.deep.equal({
        ok: false,
        says: true,
      });
    });

  for (const [title, model, says] of [
    ['a refused upgrade', 'sim-refuse-401', 'HTTP 401: invalid_api_key: Incorrect API key'],
    ['an error instead of a session', 'sim-error-on-open', 'server_error: The server had an error'],
    ['a connection that is cut', 'sim-drop-on-open', 'closed with 1006'],
  ] as const)
    it(`tells of ${title}`, async () => {
      const { ok, detail } = await test({ baseUrl: simulator.url, models: [model] });
      expect({ ok, detail: detail.slice(0, says.length) }).to.deep.equal({
        ok: false,
        detail: says,
      });
    });

  for (const realtime of [true, false])
    for (const key of [secret, 'ab'])
      it(`never repeats a key of ${key.length} characters, ${realtime ? 'in a session' : 'in text'}`, async () => {
        const { ok, detail } = await test({ baseUrl: parrotUrl, secret: key, realtime });
        expect(ok).to.equal(false);
        expect(detail).to.include('HTTP 401').and.to.include('[secret]');
        expect(detail).not.to.include(`Bearer ${key}`);
      });

  for (const realtime of [true, false]) {
    const how = realtime ? 'in a session' : 'in text';
    it(`tells of an address where nobody is, ${how}`, async () => {
      const baseUrl = `http://127.0.0.1:${await freePort()}`;
      const { ok, detail } = await test({ baseUrl, realtime });
      expect({ ok, detail }).to.deep.equal({ ok: false, detail: 'no connection (ECONNREFUSED)' });
    });
    it(`tells of an address that is forbidden, ${how}`, async () => {
      const { ok, detail } = await test({ baseUrl: 'http://10.0.0.1/v1', realtime });
      expect(ok).to.equal(false);
      expect(detail).to.include('TOOL_EGRESS_ALLOW');
    });
    it(`tells of a name that does not exist, ${how}`, async () => {
      const { ok, detail } = await test({ baseUrl: 'https://nobody.invalid/v1', realtime });
      expect(ok).to.equal(false);
      expect(detail).to.match(/no connection \((?:ENOTFOUND|EAI_AGAIN)\)/);
    });
  }

  it('tells of a page that is no list of models', async () => {
    const { ok, detail } = await test({ baseUrl: new URL(simulator.url).origin, realtime: false });
    expect(ok).to.equal(false);
    expect(detail).to.include('HTTP 404');
  });

  it('tells that a secret cannot be read any more', async () => {
    const id = await create({ baseUrl: simulator.url });
    await api.database.asSystem(({ trx }) =>
      trx
        .updateTable('connections')
        .set({ secret: Buffer.from('spoilt') })
        .where('id', '=', id)
        .execute(),
    );
    const reply = await tenant.client.post(`/api/v1/Connection/${id}/test`);
    expect(reply.body).to.include({ ok: false });
    expect(reply.body).to.have.property('detail').that.includes('cannot be read');
  });

  it('is not visible to another organization', async () => {
    const id = await create({ baseUrl: simulator.url });
    const stranger = await api.organization();
    const reply = await stranger.client.post(`/api/v1/Connection/${id}/test`);
    expect(problemCode(reply)).to.equal('not-found');
  });
});
