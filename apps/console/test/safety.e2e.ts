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
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page
      .getByText(/signed out|not a member/)
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
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    const second = await page.context().newPage();
    await second.goto(`${app.credentials.baseUrl}/console/${other.id}/agents`);
    await second.getByText('Other house').first().waitFor();
    await second.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Demo').first().waitFor();
    expect(await second.getByText('Demo agent').count()).to.equal(0);
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
});
