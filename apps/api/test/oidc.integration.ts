import { expect } from 'chai';
import type { Me } from '@parley/protocol';
import { freePort, startIdentityProvider, type IdentityProvider } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { newMember } from './support/console-client.js';

/** A browser as far as signing in needs one: it keeps cookies by origin, and follows redirects one by one. */
class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>();

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const jar = this.jarOf(url);
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  /** Through the provider's own pages, as `login`; tells the way back, unopened. */
  async comeBack(start: string, login: string): Promise<string> {
    let url = await this.next(start);
    for (const form of [{ prompt: 'login', login, password: 'x' }, { prompt: 'consent' }]) {
      url = await this.next(url);
      url = await this.next(url, form);
    }
    return this.next(url);
  }

  /** The cookies of an origin, to look at and to plant. */
  jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, jar);
    return jar;
  }

  async next(url: string, form?: Record<string, string>): Promise<string> {
    const response = await this.open(url, form);
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url} answered ${response.status}`);
    return new URL(location, url).href;
  }
}

describe('signing in through OpenID Connect', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let provider: IdentityProvider;
  before(async () => {
    const port = await freePort();
    provider = await startIdentityProvider(`http://127.0.0.1:${port}`);
    const people = { ...provider.settings, OIDC_ALLOWED_DOMAINS: ['example.com'] };
    api = await startApi({ port, people });
    tenant = await api.organization();
  });
  after(async () => {
    await api.stop();
    await provider.stop();
  });

  const startUrl = (returnTo?: string) =>
    `${api.url}/console/oidc/start${returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`}`;
  const me = async (visitor: Visitor) => visitor.open(`${api.url}/api/v1/Me`);
  const failed = (reason: string) => `${api.url}/console/#sign-in-failed=${reason}`;

  it('is told to the console', async () => {
    const response = await fetch(`${api.url}/api/v1/SignIn`);
    expect(await response.json()).to.deep.equal({ password: true, oidc: true });
  });

  it('lets a member in, and back to where they wanted to go', async () => {
    const { email, userId } = await newMember(api, tenant.id, { role: 'editor' });
    const visitor = new Visitor();
    const callback = await visitor.comeBack(startUrl('/console/agents?x=1'), email.toUpperCase());
    expect(await visitor.next(callback)).to.equal(`${api.url}/console/agents?x=1`);
    const { user, organizations } = (await (await me(visitor)).json()) as Me;
    expect(user.id).to.equal(userId);
    expect(organizations).to.deep.equal([{ id: tenant.id, name: 'Test', role: 'editor' }]);
  });

  it('opens a session under a new cookie, and ends the one that was planted', async () => {
    const [attacker, victim] = [new Visitor(), new Visitor()];
    const cookieOf = (visitor: Visitor) => visitor.jarOf(api.url).get('parley_console') ?? '';
    const enter = async (visitor: Visitor) => {
      const { email } = await newMember(api, tenant.id);
      await visitor.next(await visitor.comeBack(startUrl(), email));
      return email;
    };
    await enter(attacker);
    victim.jarOf(api.url).set('parley_console', cookieOf(attacker));
    const email = await enter(victim);
    expect(cookieOf(victim))
      .to.match(/^[\w-]{43}$/)
      .and.not.equal(cookieOf(attacker));
    expect((await me(attacker)).status).to.equal(401);
    expect(((await (await me(victim)).json()) as Me).user.email).to.equal(email);
  });

  it('leads nowhere else than to the console', async () => {
    const { email } = await newMember(api, tenant.id);
    const visitor = new Visitor();
    const callback = await visitor.comeBack(startUrl('//evil.example/console/'), email);
    expect(await visitor.next(callback)).to.equal(`${api.url}/console/`);
  });

  for (const [who, login, reason] of [
    ['who is a member of nothing', 'stranger@example.com', 'stranger'],
    ['whose address nobody has verified', 'unverified@example.com', 'unverified'],
    ['of another domain', 'member@elsewhere.example', 'domain'],
  ] as const)
    it(`refuses somebody ${who}`, async () => {
      if (reason !== 'stranger') await newMember(api, tenant.id, { email: login });
      const visitor = new Visitor();
      const callback = await visitor.comeBack(startUrl(), login);
      expect(await visitor.next(callback)).to.equal(failed(reason));
      expect((await me(visitor)).status).to.equal(401);
    });

  it('refuses an answer that was meant for another browser, and one that was used before', async () => {
    const { email } = await newMember(api, tenant.id);
    const [visitor, victim] = [new Visitor(), new Visitor()];
    const callback = await visitor.comeBack(startUrl(), email);
    expect(await victim.next(callback)).to.equal(failed('unfinished'));
    await victim.next(startUrl());
    expect(await victim.next(callback)).to.equal(failed('unfinished'));
    expect((await me(victim)).status).to.equal(401);
    expect(await visitor.next(callback)).to.equal(`${api.url}/console/`);
    expect(await visitor.next(callback)).to.equal(failed('unfinished'));
  });

  for (const query of ['', '?code=x', '?code=x&state=y', '?error=access_denied', '?state=%00'])
    it(`refuses a callback with '${query}'`, async () => {
      const visitor = new Visitor();
      await visitor.next(startUrl());
      const url = `${api.url}/console/oidc/callback${query}`;
      expect(await visitor.next(url)).to.equal(failed('unfinished'));
    });

  it('keeps what is under way from whoever reads the cookie', async () => {
    const response = await fetch(startUrl(), { redirect: 'manual' });
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).to.match(
      /^parley_oidc=[\w-]+; Max-Age=600; Path=\/console\/oidc; .*HttpOnly; SameSite=Lax$/,
    );
    const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? '';
    expect(Buffer.from(cookie.slice(12), 'base64url').toString()).not.to.include(state);
  });
});

describe('without a provider of OpenID Connect', () => {
  it('there is no such way in', async () => {
    const api = await startApi();
    const response = await fetch(`${api.url}/api/v1/SignIn`);
    expect(await response.json()).to.deep.equal({ password: true, oidc: false });
    expect((await fetch(`${api.url}/console/oidc/start`)).status).to.equal(404);
    await api.stop();
  });

  it('a provider that is away is told in the console', async () => {
    const people = {
      PUBLIC_URL: 'http://127.0.0.1:1',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'parley',
    };
    const api = await startApi({ people });
    const response = await fetch(`${api.url}/console/oidc/start`, { redirect: 'manual' });
    expect(response.headers.get('location')).to.equal('/console/#sign-in-failed=unavailable');
    await api.stop();
  });
});
