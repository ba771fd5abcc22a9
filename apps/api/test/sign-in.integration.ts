import { expect } from 'chai';
import { sql } from 'kysely';
import { deleteMember, hashPassword, setPassword } from '@parley/database';
import type { Me } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import {
  browserOf,
  cookieIn,
  newBrowser,
  newLink,
  newMember,
  postSignIn,
} from './support/console-client.js';
import { contractClient, problemCode, type Reply } from './support/contract-client.js';
import { rawRequest } from './support/raw-request.js';

const password = 'correct horse battery staple';

describe('signing in', () => {
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

  describe('with a link', () => {
    it('gives a cookie that only this server reads, and tells who it is', async () => {
      const { memberId, userId, email } = await newMember(api, tenant.id, { role: 'editor' });
      const reply = await postSignIn(api, { token: await newLink(api, tenant.id, memberId) });
      expect(reply.status).to.equal(200);
      const { user, organizations } = reply.body as Me;
      expect(user).to.deep.equal({ id: userId, email, name: 'Ada' });
      expect(organizations).to.deep.equal([{ id: tenant.id, name: 'Test', role: 'editor' }]);
      const cookie = reply.headers.get('set-cookie') ?? '';
      expect(cookie).to.match(
        /^parley_console=[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
    });

    it('works once, however many try it together', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const token = await newLink(api, tenant.id, memberId);
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => postSignIn(api, { token })),
      );
      const entered = replies.filter(({ status }) => status === 200);
      expect(entered).to.have.length(1);
      for (const reply of replies)
        if (reply !== entered[0]) refused(reply, 401, 'sign-in-link-unusable');
      refused(await postSignIn(api, { token }), 401, 'sign-in-link-unusable');
    });

    it('is refused after ten minutes', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const token = await newLink(api, tenant.id, memberId);
      await api.database.asSystem(({ trx }) =>
        sql`update sign_in_links set expires_at = expires_at - interval '601 seconds'
            where member_id = ${memberId}`.execute(trx),
      );
      const reply = await postSignIn(api, { token });
      refused(reply, 401, 'sign-in-link-unusable');
      expect(reply.body).to.have.property('detail').that.includes('expired');
    });

    it('goes with the member', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const token = await newLink(api, tenant.id, memberId);
      await api.database.inOrganization(tenant.id, (scope) => deleteMember(scope, memberId));
      refused(await postSignIn(api, { token }), 401, 'sign-in-link-unusable');
    });

    it('opens the organization of the link alone', async () => {
      const { email, memberId } = await newMember(api, tenant.id);
      await newMember(api, other.id, { email });
      const made = { email, memberId, userId: '' };
      const token = await newLink(api, tenant.id, memberId);
      const reply = await postSignIn(api, { token });
      expect((reply.body as Me).organizations.map(({ id }) => id)).to.deep.equal([tenant.id]);
      const { client } = browserOf(api, other.id, { made, reply });
      refused(await client.get('/api/v1/Agent'), 403, 'organization-forbidden');
    });

    it('is stored as a hash only', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const token = await newLink(api, tenant.id, memberId);
      const rows = await api.database.asSystem(({ trx }) =>
        trx.selectFrom('signInLinks').selectAll().execute(),
      );
      expect(JSON.stringify(rows)).not.to.include(token);
    });
  });

  describe('with a password', () => {
    it('opens every organization of the account, whatever the spelling of its address', async () => {
      const { email } = await withPassword();
      await newMember(api, other.id, { email, role: 'viewer' });
      const reply = await postSignIn(api, { email: email.toUpperCase(), password });
      expect(reply.status).to.equal(200);
      expect((reply.body as Me).organizations.map(({ id, role }) => [id, role])).to.deep.equal([
        [tenant.id, 'owner'],
        [other.id, 'viewer'],
      ]);
    });

    it('answers a wrong password, an account without one and an unknown address alike', async () => {
      const { email } = await withPassword();
      const without = await newMember(api, tenant.id);
      const replies = await Promise.all([
        postSignIn(api, { email, password: 'wrong' }),
        postSignIn(api, { email: without.email, password }),
        postSignIn(api, { email: 'nobody@example.com', password }),
      ]);
      for (const reply of replies) {
        refused(reply, 401, 'sign-in-refused');
        expect(reply.body).to.deep.equal(replies[0].body);
      }
    });

    it('lets nobody try a dictionary, whether the account exists or not', async () => {
      const { email } = await withPassword();
      for (const tried of [email, 'nobody-else@example.com']) {
        const guess = () => postSignIn(api, { email: tried, password: 'no' });
        for (let n = 0; n < 10; n += 1) refused(await guess(), 401, 'sign-in-refused');
        const reply = await postSignIn(api, { email: tried.toUpperCase(), password });
        refused(reply, 429, 'rate-limited');
        expect(Number(reply.headers.get('retry-after'))).to.be.within(1, 60);
      }
    });

    it('stops for an address that has failed too often, also for what it sent before', async () => {
      const strict = await startApi({ failuresPerMinute: 2 });
      const guess = (_: unknown, n: number) =>
        postSignIn(strict, { email: `nobody-${n}@example.com`, password });
      const replies = await Promise.all(Array.from({ length: 15 }, guess));
      const codes = replies.map(problemCode);
      expect(codes.filter((code) => code === 'sign-in-refused').length).to.be.within(2, 10);
      expect(codes).to.include('rate-limited');
      await strict.stop();
    });

    it('ends the sessions from before when the password is changed', async () => {
      const made = await withPassword();
      const reply = await postSignIn(api, { email: made.email, password });
      const { client } = browserOf(api, tenant.id, { made, reply });
      expect((await client.get('/api/v1/Me')).status).to.equal(200);
      const passwordHash = await hashPassword('another one, and longer');
      await api.database.asSystem((system) =>
        setPassword(system, { id: made.userId, passwordHash }),
      );
      refused(await client.get('/api/v1/Me'), 401, 'session-over');
    });

    it('is stored as a salted hash only', async () => {
      const [one, another] = [await withPassword(), await withPassword()];
      const rows = await api.database.asSystem(({ trx }) =>
        trx
          .selectFrom('users')
          .select('passwordHash')
          .where('id', 'in', [one.userId, another.userId])
          .execute(),
      );
      expect(JSON.stringify(rows)).not.to.include(password);
      expect(rows[0]?.passwordHash).not.to.equal(rows[1]?.passwordHash);
    });
  });

  describe('from elsewhere', () => {
    const origins: [string, Record<string, string>][] = [
      ['another site', { Origin: 'https://evil.example' }],
      ['another port', { Origin: 'http://127.0.0.1:1' }],
      ['an opaque origin', { Origin: 'null' }],
      ['another scheme', { Origin: 'file://127.0.0.1' }],
      ['what is no origin', { Origin: 'x' }],
      ['what continues ours', { Origin: 'URL.evil.example' }],
    ];
    for (const [title, headers] of origins)
      it(`is refused: ${title}`, async () => {
        const { memberId } = await newMember(api, tenant.id);
        const token = await newLink(api, tenant.id, memberId);
        const origin = (headers['Origin'] ?? '').replace('URL', api.url);
        refused(await postSignIn(api, { token }, { Origin: origin }), 403, 'origin-foreign');
        expect((await postSignIn(api, { token })).status).to.equal(200);
      });

    it('is refused without an Origin', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const token = await newLink(api, tenant.id, memberId);
      refused(
        await contractClient(api.url).post('/api/v1/SignIn', { token }),
        403,
        'origin-foreign',
      );
    });
  });

  describe('with ugly input', () => {
    const email = 'ugly@example.com';
    const bodies: [string, unknown][] = [
      ['nothing', undefined],
      ['an empty object', {}],
      ['a list', []],
      ['all three', { token: 'x', email, password }],
      ['an address alone', { email }],
      ['a password alone', { password }],
      ['a token that is a number', { token: 5 }],
      ['a token that is an object', { token: { $ne: null } }],
      ['a password that is a list', { email, password: ['a'] }],
      ['a password of 10,000 characters', { email, password: 'x'.repeat(10_000) }],
      ['an address without @', { email: 'x', password }],
      ['an address of 10,000 characters', { email: `${'x'.repeat(10_000)}@x`, password }],
      ['a field that nobody knows', { token: 'x', admin: true }],
    ];
    for (const [title, body] of bodies)
      it(`answers 400 to ${title}`, async () => {
        const reply = await postSignIn(api, body);
        expect(reply.status).to.equal(400);
        expect(problemCode(reply)).to.match(/^body-(invalid|malformed)$/);
      });

    for (const token of ['x', '’or 1=1--', '🦜'.repeat(40), 'a'.repeat(43)])
      it(`answers 401 to the token ${token.slice(0, 20)}`, async () => {
        refused(await postSignIn(api, { token }), 401, 'sign-in-link-unusable');
      });
  });

  describe('keeps a session', () => {
    it('under a new cookie each time, whatever cookie was there before', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const planted = 'A'.repeat(43);
      const Cookie = `parley_console=${planted}`;
      const first = cookieIn(
        await postSignIn(api, { token: await newLink(api, tenant.id, memberId) }, { Cookie }),
      );
      expect(first)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(planted);
      const me = (value: string) =>
        contractClient(api.url).get('/api/v1/Me', {
          headers: { Cookie: `parley_console=${value}` },
        });
      refused(await me(planted), 401, 'session-over');
      const token = await newLink(api, tenant.id, memberId);
      const second = cookieIn(
        await postSignIn(api, { token }, { Cookie: `parley_console=${first}` }),
      );
      refused(await me(first), 401, 'session-over');
      expect((await me(second)).status).to.equal(200);
    });

    it('until it is ended', async () => {
      const { client } = await newBrowser(api, tenant.id);
      const { status, headers } = await client.post('/api/v1/SignOut');
      expect(status).to.equal(204);
      expect(headers.get('set-cookie')).to.match(/^parley_console=;.*Expires=Thu, 01 Jan 1970/);
      refused(await client.get('/api/v1/Me'), 401, 'session-over');
      refused(await client.get('/api/v1/Agent'), 401, 'session-over');
    });

    it('that somebody else cannot end', async () => {
      const { client } = await newBrowser(api, tenant.id);
      const forged = { headers: { 'X-Parley-Csrf': 'x'.repeat(43) } };
      refused(await client.post('/api/v1/SignOut', undefined, forged), 403, 'csrf-token-wrong');
      expect((await client.get('/api/v1/Me')).status).to.equal(200);
    });

    it('that Redis knows by its hash alone', async () => {
      const { cookie } = await newBrowser(api, tenant.id);
      const keys = await api.redis.keys('parley:console:*');
      expect(keys).not.to.deep.equal([]);
      expect(keys.join()).not.to.include(cookie);
    });

    it('tells by the Host header whose page it is, where no public URL is set', async () => {
      const { memberId } = await newMember(api, tenant.id);
      const token = await newLink(api, tenant.id, memberId);
      const body = JSON.stringify({ token });
      const text = await rawRequest(
        api.url,
        `POST /api/v1/SignIn HTTP/1.1\r\nHost: parley.example.com:443\r\nOrigin: https://parley.example.com\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
      expect(text).to.match(/^HTTP\/1\.1 200 /);
      expect(text).to.match(/set-cookie: parley_console=[^\r]*; Secure/i);
    });
  });
});
