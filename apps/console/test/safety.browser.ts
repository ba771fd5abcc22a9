import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  deleteMember,
  hashPassword,
  insertMember,
  insertOrganization,
  setPassword,
} from '@parley/database';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest } from './support/console-under-test.js';
import { beHostile, harmOn, showsHostile } from './support/hostile.js';
import { settled } from './support/settled.js';

describe('the console, used by many and attacked', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  before(async () => {
    app = await ConsoleUnderTest.open();
  });
  after(() => app.close());

  it('lets somebody in by the link that the start prints, once, and keeps it out of the address', async () => {
    const { page, close } = await app.newPage();
    await page.goto(app.printedLink);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(page.url()).not.to.include('sign-in');
    await close();
    const other = await app.newPage();
    await other.page.goto(app.printedLink);
    await other.page.getByRole('alert').waitFor();
    expect(await other.page.getByRole('heading', { level: 1 }).textContent()).to.equal(
      'Sign in to Parley',
    );
    await other.close();
  });

  it('refuses a removed member’s open tab', async () => {
    const { page, memberId, close } = await app.visit({ role: 'editor', path: 'agents' });
    await app.database.inOrganization(app.credentials.organizationId, (scope) =>
      deleteMember(scope, memberId),
    );
    // The tab may have noticed by itself, and covered the page.
    await page.locator('a[title="Conversations"]').dispatchEvent('click');
    await page
      .getByText(/signed out|not a member|no longer a member/)
      .first()
      .waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
    await close();
  });

  it('keeps two tabs apart that show different organizations', async () => {
    const { userId, email } = await app.newMember('owner');
    const password = 'as long as it takes';
    const other = await app.database.asSystem(async ({ trx }) => {
      const made = await insertOrganization({ trx }, { name: 'Other house' });
      await insertMember({ organizationId: made.id, trx }, { userId, role: 'owner' });
      await setPassword({ trx }, { id: userId, passwordHash: await hashPassword(password) });
      return made;
    });
    const { page, close } = await app.newPage();
    await page.goto(app.url('agents'));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    const second = await page.context().newPage();
    await second.goto(`${app.credentials.baseUrl}/console/${other.id}/agents`);
    await second.getByText('Other house').first().waitFor();
    await second.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Demo').first().waitFor();
    expect(await second.getByText('Demo agent').count()).to.equal(0);
    await second.goto(`${app.credentials.baseUrl}/console/${other.id}/agents/new`);
    await page.getByRole('link', { name: 'Tasks' }).click();
    await second.getByLabel('Name', { exact: true }).fill('Of the other house');
    await second.getByRole('button', { name: /^Create/ }).click();
    await second.waitForURL(/agents\/[\da-f-]{36}/);
    expect(second.url()).to.include(other.id);
    expect((await app.parley.agents.list({ search: 'Of the other house' })).total).to.equal(0);
    await close();
  });

  it('keeps what was typed when the session ends, and saves it after signing in again', async () => {
    const { page, memberId, close } = await app.visit({ path: 'agents/new' });
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Typed before the session ended');
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.context().addCookies(cookies);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor({ state: 'detached' });
    expect(await name.inputValue()).to.equal('Typed before the session ended');
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.waitForURL(/agents\/[\da-f-]{36}/);
    expect(memberId).to.be.a('string');
    await close();
  });

  it('shows nothing to a stranger but the way in, wherever a link leads', async () => {
    const { page, close } = await app.newPage();
    await page.goto(app.url('keys'));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(
      'Sign in to Parley',
    );
    await close();
  });

  it('shows what others wrote as text, which turns nothing around it', async () => {
    const { paths, end } = await beHostile(app);
    const { page, complaints, close } = await app.visit();
    complaints.length = 0;
    const harm: Record<string, string[]> = {};
    for (const path of paths) {
      await page.goto(app.url(path));
      await settled(page);
      await showsHostile(page);
      harm[path] = await harmOn(page);
    }
    end();
    expect(harm).to.deep.equal(Object.fromEntries(paths.map((path) => [path, []])));
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('does nothing for a page of another origin, and does not appear in its frame', async () => {
    const { baseUrl, organizationId } = app.credentials;
    const { page, email, complaints, close } = await app.visit();
    const { token } = await app.newMember('owner');
    // Of the same site, so that the cookie comes along.
    const evil = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<iframe src="${baseUrl}/console/${organizationId}/keys"></iframe>`);
    });
    await new Promise<void>((done) => evil.listen(0, 'localhost', done));
    const tab = await page.context().newPage();
    tab.on('console', (message) => complaints.push(message.text()));
    await tab.goto(`http://localhost:${(evil.address() as AddressInfo).port}`);
    expect(complaints.join()).to.match(/frame-ancestors|X-Frame-Options/);
    expect(tab.frames().map((frame) => frame.url())).not.to.include(app.url('keys'));
    const outcomes = await tab.evaluate(
      async ([api, orgId, foreignToken]) => {
        const attempt = async (path: string, init: RequestInit) =>
          fetch(`${api}${path}`, { credentials: 'include', ...init }).then(
            (response) => response.type,
            () => 'refused',
          );
        const blind = { method: 'POST', mode: 'no-cors' } as const;
        return [
          await attempt('/Me', {}),
          await attempt('/Task', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-org-id': orgId ?? '' },
            body: '{"title": "Planted"}',
          }),
          await attempt('/SignOut', blind),
          await attempt('/SignIn', { ...blind, body: JSON.stringify({ token: foreignToken }) }),
        ];
      },
      [`${baseUrl}/api/v1`, organizationId, token],
    );
    expect(outcomes).to.deep.equal(['refused', 'refused', 'refused', 'refused']);
    const me = await page.evaluate(async () => (await fetch('/api/v1/Me')).json() as unknown);
    expect(me).to.have.nested.property('user.email', email);
    const { items } = await app.parley.tasks.list();
    expect(items.map(({ title }) => title)).not.to.include('Planted');
    evil.closeAllConnections();
    evil.close();
    await close();
  });

  it('goes nowhere else after a sign-in, whatever address the link was given', async () => {
    const { baseUrl } = app.credentials;
    const { page, close } = await app.newPage();
    const { token, email } = await app.newMember('viewer');
    for (const path of ['//evil.example/x', '/%5c%5cevil', '/?returnTo=//evil.example']) {
      const answered = page.waitForResponse(/\/api\/v1\/SignIn$/);
      await page.goto(`${baseUrl}/console${path}#sign-in=${token}`);
      await answered;
      await page.waitForFunction(() => !location.hash.includes('sign-in'));
      const me = await page.evaluate(async () => (await fetch('/api/v1/Me')).json() as unknown);
      expect(me).to.have.nested.property('user.email', email);
      expect(new URL(page.url()).origin).to.equal(baseUrl);
    }
    await close();
  });
});
