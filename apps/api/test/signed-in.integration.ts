import { expect } from 'chai';
import { deleteMember, hashPassword, setPassword, updateMember } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { browserOf, newBrowser, newMember, postSignIn } from './support/console-client.js';
import { contractClient, problemCode, type Reply } from './support/contract-client.js';

const password = 'correct horse battery staple';

describe('somebody who is signed in', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let other: Tenant;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
    other = await api.organization();
  });
  after(() => api.stop());

  const refused = (reply: Reply, status: number, code: string) => {
    expect(problemCode(reply)).to.equal(code);
    expect(reply.status).to.equal(status);
    expect(reply.headers.get('set-cookie')).to.equal(null);
  };
  const withPassword = async (organizationId = tenant.id) => {
    const made = await newMember(api, organizationId);
    const passwordHash = await hashPassword(password);
    await api.database.asSystem((system) => setPassword(system, { id: made.userId, passwordHash }));
    return made;
  };

  describe('lets a member', () => {
    it('read and change what a key may, under their own name', async () => {
      const { client, userId } = await newBrowser(api, tenant.id, { role: 'editor' });
      const { status } = await client.post('/api/v1/Task', { title: 'Call back' });
      expect(status).to.equal(201);
      const { body } = await client.get('/api/v1/AuditLog?Action=task.created');
      const { items } = body as { items: { actor: unknown }[] };
      expect(items.at(-1)?.actor).to.deep.equal({ kind: 'user', id: userId, name: 'Ada' });
    });

    it('do what the role allows, from the moment it is changed', async () => {
      const { client, memberId } = await newBrowser(api, tenant.id, { role: 'viewer' });
      const create = () => client.post('/api/v1/Task', { title: 'T' });
      refused(await create(), 403, 'role-missing');
      const become = (role: 'editor' | 'viewer') =>
        api.database.inOrganization(tenant.id, (scope) =>
          updateMember(scope, { id: memberId, role }),
        );
      await become('editor');
      expect((await create()).status).to.equal(201);
      await become('viewer');
      refused(await create(), 403, 'role-missing');
    });

    it('do nothing any more once they are removed, in a tab that is open', async () => {
      const { client, memberId } = await newBrowser(api, tenant.id);
      expect((await client.get('/api/v1/Agent')).status).to.equal(200);
      await api.database.inOrganization(tenant.id, (scope) => deleteMember(scope, memberId));
      refused(await client.get('/api/v1/Agent'), 401, 'session-over');
      refused(await client.get('/api/v1/Me'), 401, 'session-over');
    });

    it('go on in the other organization when they are removed from one', async () => {
      const made = await withPassword();
      const there = await newMember(api, other.id, { email: made.email });
      const reply = await postSignIn(api, { email: made.email, password });
      const { client } = browserOf(api, tenant.id, { made, reply });
      await api.database.inOrganization(other.id, (scope) => deleteMember(scope, there.memberId));
      expect((await client.get('/api/v1/Agent')).status).to.equal(200);
      const headers = { 'X-Org-Id': other.id };
      refused(await client.get('/api/v1/Agent', { headers }), 403, 'organization-forbidden');
    });

    it('see nothing of an organization that they are no member of', async () => {
      const { client } = await newBrowser(api, tenant.id);
      const headers = { 'X-Org-Id': other.id };
      refused(await client.get('/api/v1/Agent', { headers }), 403, 'organization-forbidden');
      refused(
        await client.get('/api/v1/Agent', { headers: { 'X-Org-Id': 'x' } }),
        400,
        'organization-malformed',
      );
    });

    it('repeat a request, and nobody else its answer', async () => {
      const [one, another] = [await newBrowser(api, tenant.id), await newBrowser(api, tenant.id)];
      const headers = { 'Idempotency-Key': 'once' };
      const first = await one.client.post('/api/v1/Task', { title: 'T' }, { headers });
      const again = await one.client.post('/api/v1/Task', { title: 'T' }, { headers });
      expect(again.body).to.deep.equal(first.body);
      const theirs = await another.client.post('/api/v1/Task', { title: 'T' }, { headers });
      refused(theirs, 422, 'idempotency-key-reused');
    });
  });

  describe('a request with the cookie that changes something', () => {
    const cases: [string, Record<string, string>, string][] = [
      ['without the token', { 'X-Parley-Csrf': '' }, 'csrf-token-wrong'],
      ['with a wrong token', { 'X-Parley-Csrf': 'x'.repeat(43) }, 'csrf-token-wrong'],
      ['with a longer token', { 'X-Parley-Csrf': 'x'.repeat(4000) }, 'csrf-token-wrong'],
      ['from another site', { Origin: 'https://evil.example' }, 'origin-foreign'],
      ['from an opaque origin', { Origin: 'null' }, 'origin-foreign'],
      ['without an origin', { Origin: '' }, 'origin-foreign'],
    ];
    for (const [title, headers, code] of cases)
      it(`is refused ${title}`, async () => {
        const { client } = await newBrowser(api, tenant.id);
        refused(await client.post('/api/v1/Task', { title: 'T' }, { headers }), 403, code);
        refused(await client.delete(`/api/v1/Agent/${tenant.id}`, { headers }), 403, code);
      });

    it('is refused with the token of another session', async () => {
      const [one, another] = [await newBrowser(api, tenant.id), await newBrowser(api, tenant.id)];
      const headers = { 'X-Parley-Csrf': another.csrfToken };
      refused(
        await one.client.post('/api/v1/Task', { title: 'T' }, { headers }),
        403,
        'csrf-token-wrong',
      );
    });
  });

  describe('the cookie', () => {
    it('counts for nothing beside a key', async () => {
      const { cookie } = await newBrowser(api, tenant.id);
      const headers = { Cookie: `parley_console=${cookie}`, 'X-Org-Id': tenant.id };
      const ask = (key: string) =>
        contractClient(api.url, { ...headers, 'X-Api-Key': key }).get('/api/v1/Agent');
      refused(await ask('parley_test_wrong'), 401, 'key-invalid');
      refused(await ask(other.key), 403, 'organization-forbidden');
      const { status } = await contractClient(api.url, {
        ...headers,
        'X-Api-Key': tenant.key,
      }).post('/api/v1/Task', { title: 'T' });
      expect(status).to.equal(201);
    });

    for (const value of ['', 'x', 'x'.repeat(43), '%00', 'é', `${'x'.repeat(43)}x`])
      it(`is refused as ${JSON.stringify(value)}`, async () => {
        const headers = { Cookie: `parley_console=${encodeURIComponent(value)}` };
        refused(await contractClient(api.url).get('/api/v1/Me', { headers }), 401, 'session-over');
      });

    it('is refused where another one was planted beside it', async () => {
      const { cookie } = await newBrowser(api, tenant.id);
      const headers = { Cookie: `parley_console=${cookie}; parley_console=${'x'.repeat(43)}` };
      refused(await contractClient(api.url).get('/api/v1/Me', { headers }), 401, 'session-over');
    });

    it('is not needed, and not enough, for clients of OpenAI', async () => {
      const { cookie } = await newBrowser(api, tenant.id);
      const response = await fetch(`${api.url}/v1/models`, {
        headers: { Cookie: `parley_console=${cookie}`, 'OpenAI-Organization': tenant.id },
      });
      expect(response.status).to.equal(401);
    });
  });
});
