import { expect } from 'chai';
import type { Me, Member, NewMember, Role } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import {
  browserOf,
  newBrowser,
  newMember,
  postSignIn,
  type Browser,
} from './support/console-client.js';
import { problemCode, type Reply } from './support/contract-client.js';

describe('members', () => {
  let api: ApiUnderTest;
  let other: Tenant;
  before(async () => {
    api = await startApi();
    other = await api.organization();
  });
  after(() => api.stop());

  /** A new organization whose owner is signed in. */
  const practice = async () => {
    const tenant = await api.organization();
    return { tenant, owner: await newBrowser(api, tenant.id) };
  };
  let addresses = 0;
  const add = ({ client }: Browser, role: Role, email = `new-${(addresses += 1)}@example.com`) =>
    client.post('/api/v1/Member', { email, name: 'Grace', role });
  const added = async (browser: Browser, role: Role) =>
    (await add(browser, role)).body as NewMember;
  const tokenIn = ({ signInLink }: NewMember) => signInLink.signInPath.split('#sign-in=')[1];
  const listed = async ({ client }: Browser) =>
    ((await client.get('/api/v1/Member')).body as { items: Member[] }).items;
  const isConflict = (reply: Reply) => {
    expect(reply.status).to.equal(409);
    expect(problemCode(reply)).to.equal('conflict');
  };

  it('are added by address, and come in by the link that is shown once', async () => {
    const { tenant, owner } = await practice();
    const made = await added(owner, 'approver');
    expect(made).to.include({ name: 'Grace', role: 'approver' });
    expect(JSON.stringify(await listed(owner))).not.to.include(tokenIn(made));
    const reply = await postSignIn(api, { token: tokenIn(made) });
    const { user, organizations } = reply.body as Me;
    expect(user).to.deep.equal({ id: made.userId, email: made.email, name: 'Grace' });
    expect(organizations).to.deep.equal([{ id: tenant.id, name: 'Test', role: 'approver' }]);
  });

  it('get another link when they lost theirs', async () => {
    const { owner } = await practice();
    const { id, email } = await added(owner, 'viewer');
    const { body } = await owner.client.post(`/api/v1/Member/${id}/sign-in-link`);
    const { signInPath } = body as NewMember['signInLink'];
    const reply = await postSignIn(api, { token: signInPath.replace('/console/#sign-in=', '') });
    expect((reply.body as Me).user.email).to.equal(email);
  });

  it('are members once, whatever the spelling of their address', async () => {
    const { owner } = await practice();
    const { email } = await added(owner, 'viewer');
    isConflict(await add(owner, 'owner', email.toUpperCase()));
  });

  it('of two organizations are one account, which neither of them can enter the other with', async () => {
    const [one, two] = [await practice(), await practice()];
    const { email, userId } = await added(one.owner, 'viewer');
    const made = (await add(two.owner, 'editor', email)).body as NewMember;
    expect(made).to.include({ userId, name: 'Grace' });
    const reply = await postSignIn(api, { token: tokenIn(made) });
    expect((reply.body as Me).organizations.map(({ id }) => id)).to.deep.equal([two.tenant.id]);
    const { client } = browserOf(api, one.tenant.id, {
      made: { memberId: made.id, userId, email },
      reply,
    });
    expect(problemCode(await client.get('/api/v1/Task'))).to.equal('organization-forbidden');
    await two.owner.client.delete(`/api/v1/Member/${made.id}`);
    expect((await listed(one.owner)).map((member) => member.email)).to.include(email);
  });

  it('change their role, and are gone at their next request once they are removed', async () => {
    const { tenant, owner } = await practice();
    const person = await newBrowser(api, tenant.id, { role: 'viewer' });
    const path = `/api/v1/Member/${person.memberId}`;
    const create = () => person.client.post('/api/v1/Task', { title: 'T' });
    expect(problemCode(await create())).to.equal('role-missing');
    const { body } = await owner.client.patch(path, { role: 'editor' });
    expect(body).to.include({ id: person.memberId, role: 'editor' });
    expect((await create()).status).to.equal(201);
    expect((await owner.client.delete(path)).status).to.equal(204);
    expect(problemCode(await create())).to.equal('session-over');
    expect((await owner.client.delete(path)).status).to.equal(404);
    const users = await api.database.asSystem(({ trx }) =>
      trx.selectFrom('users').select('id').where('id', '=', person.userId).execute(),
    );
    expect(users, 'the account').to.deep.equal([]);
  });

  it('always have an owner among them', async () => {
    const { owner } = await practice();
    const path = `/api/v1/Member/${owner.memberId}`;
    isConflict(await owner.client.delete(path));
    isConflict(await owner.client.patch(path, { role: 'editor' }));
    expect((await owner.client.patch(path, { role: 'owner' })).status).to.equal(200);
    await added(owner, 'owner');
    expect((await owner.client.delete(path)).status).to.equal(204);
  });

  it('have an owner left when all of them leave at once', async () => {
    const { tenant, owner } = await practice();
    const owners = [owner, ...(await Promise.all([1, 2, 3].map(() => newBrowser(api, tenant.id))))];
    const replies = await Promise.all(
      owners.map(({ client, memberId }, n) =>
        n % 2 === 0
          ? client.delete(`/api/v1/Member/${memberId}`)
          : client.patch(`/api/v1/Member/${memberId}`, { role: 'viewer' }),
      ),
    );
    expect(replies.map(({ status }) => status).filter((status) => status === 409)).to.have.length(
      1,
    );
    const { body } = await tenant.client.get('/api/v1/Member');
    const left = (body as { items: Member[] }).items.filter(({ role }) => role === 'owner');
    expect(left).to.have.length(1);
  });

  it('of another organization are neither seen nor touched', async () => {
    const { tenant, owner } = await practice();
    const person = await newMember(api, tenant.id);
    const path = `/api/v1/Member/${person.memberId}`;
    expect((await other.client.delete(path)).status).to.equal(404);
    expect((await other.client.patch(path, { role: 'viewer' })).status).to.equal(404);
    expect((await other.client.post(`${path}/sign-in-link`)).status).to.equal(404);
    const { body } = await other.client.get('/api/v1/Member');
    expect((body as { items: Member[] }).items).to.deep.equal([]);
    expect(await listed(owner)).to.have.length(2);
  });

  it('are on the audit record, without their links', async () => {
    const { owner } = await practice();
    const made = await added(owner, 'viewer');
    await owner.client.patch(`/api/v1/Member/${made.id}`, { role: 'editor' });
    await owner.client.post(`/api/v1/Member/${made.id}/sign-in-link`);
    await owner.client.delete(`/api/v1/Member/${made.id}`);
    const { body } = await owner.client.get('/api/v1/AuditLog');
    const { items } = body as { items: { action: string; actor: { id: string } }[] };
    expect(items.map(({ action }) => action)).to.deep.equal([
      'member.created',
      'member.updated',
      'member.linkIssued',
      'member.deleted',
    ]);
    for (const { actor } of items) expect(actor.id).to.equal(owner.userId);
    expect(JSON.stringify(items)).not.to.include(tokenIn(made));
  });

  const ugly: [string, object][] = [
    ['no address', { email: '' }],
    ['an address with a blank', { email: 'a b@example.com' }],
    ['an address of 10,000 characters', { email: `${'x'.repeat(10_000)}@example.com` }],
    ['a role that there is not', { role: 'god' }],
    ['a role that every object has', { role: 'constructor' }],
    ['a list of roles', { role: ['owner'] }],
    ['a password', { password: 'x' }],
  ];
  for (const [title, input] of ugly)
    it(`are refused with ${title}`, async () => {
      const { owner } = await practice();
      const reply = await owner.client.post('/api/v1/Member', {
        ...{ email: 'a@example.com', role: 'viewer' },
        ...input,
      });
      expect(problemCode(reply)).to.equal('body-invalid');
    });
});
