import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { insertApiKey } from '@parley/database';
import { newApiKey } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { contractClient, problemCode } from './support/contract-client.js';
import { rawRequest } from './support/raw-request.js';

describe('authentication', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let other: Tenant;

  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    other = await api.organization();
  });
  after(() => api.stop());

  const ask = (headers: Record<string, string>) =>
    contractClient(api.url).get('/api/v1/Agent', { headers });

  describe('the key', () => {
    const org = () => ({ 'X-Org-Id': tenant.id });
    const cases: [string, () => Record<string, string>, string][] = [
      ['none', org, 'key-missing'],
      ['an empty one', () => ({ ...org(), 'X-Api-Key': '' }), 'key-missing'],
      ['10 KB of it', () => ({ ...org(), 'X-Api-Key': 'x'.repeat(10_000) }), 'key-invalid'],
      ['an unknown one', () => ({ ...org(), 'X-Api-Key': newApiKey('test') }), 'key-invalid'],
      [
        'a wrong checksum',
        () => ({ ...org(), 'X-Api-Key': `${tenant.key.slice(0, -1)}_` }),
        'key-invalid',
      ],
      [
        'the wrong case',
        () => ({ ...org(), 'X-Api-Key': tenant.key.toUpperCase() }),
        'key-invalid',
      ],
      ['no key and no organization', () => ({}), 'key-missing'],
      [
        'an unknown key and a malformed organization',
        () => ({ 'X-Api-Key': 'nope', 'X-Org-Id': 'nope' }),
        'key-invalid',
      ],
    ];
    for (const [title, headers, code] of cases)
      it(`answers 401 ${code} to ${title}`, async () => {
        const reply = await ask(headers());
        expect(reply.status).to.equal(401);
        expect(problemCode(reply)).to.equal(code);
      });

    it('tells callers apart whose requests share one connection, as behind a proxy', async () => {
      const shared = new Agent({ keepAlive: true, maxSockets: 1 });
      const ports = new Set<number | undefined>();
      const statusOf = async (key: string, organizationId: string) => {
        const headers = { 'X-Api-Key': key, 'X-Org-Id': organizationId };
        const asked = get(`${api.url}/api/v1/Agent`, { agent: shared, headers });
        const [reply] = (await once(asked, 'response')) as [IncomingMessage];
        ports.add(reply.socket.localPort);
        await once(reply.resume(), 'end');
        return reply.statusCode;
      };
      const turned = `${tenant.key.slice(0, -1)}${tenant.key.endsWith('a') ? 'b' : 'a'}`;
      const asked: [string, string, number][] = [
        [tenant.key, tenant.id, 200],
        [other.key, other.id, 200],
        [tenant.key, tenant.id, 200],
        [tenant.key, other.id, 403],
        [turned, tenant.id, 401],
        [tenant.key, tenant.id, 200],
        [other.key, tenant.id, 403],
      ];
      for (const [key, id, status] of asked) expect(await statusOf(key, id)).to.equal(status);
      expect(ports.size).to.equal(1);
      shared.destroy();
    });

    it('gives an unknown key and one with a wrong checksum the same body', async () => {
      const unknown = await ask({ ...org(), 'X-Api-Key': newApiKey('test') });
      const mistyped = await ask({ ...org(), 'X-Api-Key': `${newApiKey('test').slice(0, -1)}-` });
      expect(unknown.body).to.deep.equal(mistyped.body);
    });

    it('is refused when it is sent twice', async () => {
      const text = await rawRequest(
        api.url,
        `GET /api/v1/Agent HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${tenant.key}\r\nX-Api-Key: ${other.key}\r\nX-Org-Id: ${tenant.id}\r\nConnection: close\r\n\r\n`,
      );
      expect(text).to.match(/^HTTP\/1\.1 401 /);
    });

    it('is refused after its expiry', async () => {
      const { client } = await api.organization({ expiresAt: new Date(Date.now() - 1000) });
      const reply = await client.get('/api/v1/Agent');
      expect(reply.status).to.equal(401);
      expect(problemCode(reply)).to.equal('key-expired');
    });

    it('remembers its last use', async () => {
      const { client, keyId } = await api.organization();
      const lastUse = () =>
        api.database.asSystem(({ trx }) =>
          trx
            .selectFrom('apiKeys')
            .select('lastUsedAt')
            .where('id', '=', keyId)
            .executeTakeFirstOrThrow(),
        );
      expect(await lastUse()).to.deep.equal({ lastUsedAt: null });
      await client.get('/api/v1/Agent');
      const noted = async () => (await lastUse()).lastUsedAt !== null;
      await waitFor(noted, { what: 'the last use to be written' });
      expect((await lastUse()).lastUsedAt).to.be.instanceOf(Date);
    });

    it('is stored as a hash only', async () => {
      const rows = await api.database.asSystem(({ trx }) =>
        trx.selectFrom('apiKeys').selectAll().execute(),
      );
      expect(JSON.stringify(rows)).not.to.include(tenant.key);
    });

    it('opens only what its scopes name', async () => {
      const { client } = await api.organization({ scopes: ['connections'] });
      expect((await client.get('/api/v1/Connection')).status).to.equal(200);
      const reply = await client.get('/api/v1/Agent');
      expect(reply.status).to.equal(403);
      expect(problemCode(reply)).to.equal('scope-missing');
    });

    it('of an organization may be one of several', async () => {
      const { key } = await api.database.asSystem((system) =>
        insertApiKey(system, { organizationId: tenant.id, name: 'second' }),
      );
      expect((await ask({ 'X-Api-Key': key, 'X-Org-Id': tenant.id })).status).to.equal(200);
    });
  });

  describe('the organization', () => {
    const key = () => ({ 'X-Api-Key': tenant.key });
    const cases: [string, () => Record<string, string>, number, string][] = [
      ['none', key, 400, 'organization-missing'],
      ['an empty one', () => ({ ...key(), 'X-Org-Id': '' }), 400, 'organization-missing'],
      ['no UUID', () => ({ ...key(), 'X-Org-Id': 'acme' }), 400, 'organization-malformed'],
      ['SQL', () => ({ ...key(), 'X-Org-Id': `' OR 1=1--` }), 400, 'organization-malformed'],
      [
        'another organization',
        () => ({ ...key(), 'X-Org-Id': other.id }),
        403,
        'organization-forbidden',
      ],
      [
        'the nil UUID',
        () => ({ ...key(), 'X-Org-Id': '00000000-0000-0000-0000-000000000000' }),
        403,
        'organization-forbidden',
      ],
    ];
    for (const [title, headers, status, code] of cases)
      it(`answers ${status} ${code} to ${title}`, async () => {
        const reply = await ask(headers());
        expect(reply.status).to.equal(status);
        expect(problemCode(reply)).to.equal(code);
      });

    it('is refused when it is sent twice', async () => {
      const text = await rawRequest(
        api.url,
        `GET /api/v1/Agent HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${tenant.key}\r\nX-Org-Id: ${tenant.id}\r\nX-Org-Id: ${tenant.id}\r\nConnection: close\r\n\r\n`,
      );
      expect(text).to.match(/^HTTP\/1\.1 400 /);
    });

    it('may be written in capitals', async () => {
      expect((await ask({ ...key(), 'X-Org-Id': tenant.id.toUpperCase() })).status).to.equal(200);
    });
  });
});
