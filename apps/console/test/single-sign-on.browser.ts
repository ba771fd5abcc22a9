import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { freePort, needs, startIdentityProvider, type IdentityProvider } from '@parley/testkit';
import { ConsoleUnderTest } from './support/console-under-test.js';

describe('single sign-on', () => {
  needs('chromium');
  let provider: IdentityProvider;
  let app: ConsoleUnderTest;

  before(async () => {
    const port = await freePort();
    provider = await startIdentityProvider(`http://127.0.0.1:${port}`);
    app = await ConsoleUnderTest.open([], {
      PORT: String(port),
      ...provider.settings,
      OIDC_ALLOWED_DOMAINS: 'example.com',
    });
  });
  after(async () => {
    await app.close();
    await provider.stop();
  });

  const way = { name: 'Continue with single sign-on' };

  /** Somebody who wants to see the agents, and is at the provider's page. */
  async function atProvider(): Promise<{ page: Page; close: () => Promise<void> }> {
    const { page, close } = await app.newPage();
    // The provider's page asks another site for a font.
    await page.context().route('https://**', (route) => route.abort());
    await page.goto(app.url('agents'));
    await page.getByRole('link', way).click();
    await page.getByRole('heading', { name: 'Sign-in' }).waitFor();
    expect(new URL(page.url()).origin).to.equal(provider.settings.OIDC_ISSUER);
    return { page, close };
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(email);
    await page.getByPlaceholder('and password').fill('theirs alone');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  it('leads a member to the page that they asked for, and back in where a form is open', async () => {
    const { email } = await app.newMember('editor');
    const { page, close } = await atProvider();
    await signIn(page, email);
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    expect(page.url()).to.equal(app.url('agents'));

    await page.goto(app.url('agents/new'));
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Typed before the session ended');
    await page.context().clearCookies({ name: 'parley_console' });
    await page.getByRole('button', { name: /^Create/ }).click();
    const opening = page.context().waitForEvent('page');
    await page.getByRole('dialog').getByRole('link', way).click();
    const second = await opening;
    await second.getByRole('heading', { level: 1 }).waitFor();
    await second.waitForURL(app.url('agents/new'));
    await second.close();
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor({ state: 'detached' });
    expect(await name.inputValue()).to.equal('Typed before the session ended');
    await page.getByRole('button', { name: /^Create/ }).click();
    await page.waitForURL(/agents\/[\da-f-]{36}/);
    await close();
  });

  const refusals: [
    who: string,
    go: (page: Page) => Promise<void>,
    title: string,
    advice: string,
  ][] = [
    [
      'turned back at the provider',
      (page) => page.getByRole('link', { name: 'Cancel' }).click(),
      'You were not signed in',
      'Try again, or sign in another way.',
    ],
    [
      'has an address of another domain',
      (page) => signIn(page, 'ada@elsewhere.example'),
      'Your email domain is not allowed here',
      'ask your administrator to allow your domain',
    ],
    [
      'is no member',
      (page) => signIn(page, 'stranger@example.com'),
      'You are not a member of any organization here',
      'Ask an owner to add the email address',
    ],
  ];
  for (const [who, go, title, advice] of refusals)
    it(`tells somebody who ${who} what to do`, async () => {
      const { page, close } = await atProvider();
      await go(page);
      const note = page.getByRole('alert');
      await note.waitFor();
      expect(await note.innerText())
        .to.include(title)
        .and.include(advice);
      expect(page.url()).to.equal(`${app.credentials.baseUrl}/console/`);
      await page.getByRole('link', way).waitFor();
      await close();
    });
});
