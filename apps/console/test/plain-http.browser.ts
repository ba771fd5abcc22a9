import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest } from './support/console-under-test.js';

/** Browsers keep many functions from pages that come neither over HTTPS nor from localhost. */
describe('the console over plain HTTP', () => {
  needs('chromium');
  let app: ConsoleUnderTest;

  before(async () => {
    app = await ConsoleUnderTest.open(['--host-resolver-rules=MAP parley.test 127.0.0.1']);
  });
  after(() => app.close());

  it('makes a key, takes a file, and says that it cannot copy', async () => {
    const { token } = await app.newMember('owner');
    const { page, close } = await app.newPage();
    const address = new URL(app.url('keys'));
    address.hostname = 'parley.test';
    await page.goto(`${address.href}#sign-in=${token}`);
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.evaluate(() => isSecureContext)).to.equal(false);
    await page.getByLabel('Name').fill('Night shift');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first().click();
    await page.getByText('Your browser did not allow copying').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();

    await page.getByRole('link', { name: 'Files' }).click();
    await page
      .getByLabel('Files to upload')
      .first()
      .setInputFiles({ name: 'rooms.txt', mimeType: 'text/plain', buffer: Buffer.from('Rooms') });
    await page.getByRole('row', { name: /rooms\.txt/ }).waitFor();
    await close();
  });
});
