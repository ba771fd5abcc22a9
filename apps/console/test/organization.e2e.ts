import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

describe('looking after an organization', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let owner: Visitor;

  before(async () => {
    app = await ConsoleUnderTest.open();
    owner = await app.visit({ path: 'keys' });
  });
  after(async () => {
    await owner.close();
    await app.close();
  });

  const listAgents = async (apiKey: string): Promise<number> => {
    const { baseUrl, organizationId } = app.credentials;
    const headers = { 'x-api-key': apiKey, 'x-org-id': organizationId };
    const response = await fetch(`${baseUrl}/api/v1/Agent`, { headers });
    return response.status;
  };

  it('makes a key that works until it is revoked, and shows it once', async () => {
    const { page } = owner;
    await page.goto(app.url('keys'));
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Night shift');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const apiKey = await page.getByLabel('API key', { exact: true }).textContent();
    expect(await listAgents(apiKey ?? '')).to.equal(200);

    await page.keyboard.press('Escape');
    await page.mouse.click(4, 4);
    expect(await page.getByLabel('API key', { exact: true }).textContent()).to.equal(apiKey);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.reload();
    const row = page.getByRole('row', { name: /Night shift/ });
    await row.waitFor();
    expect(await page.content()).not.to.include(apiKey);

    await row.getByRole('button', { name: 'Actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    expect(await page.getByRole('dialog').textContent()).to.include('read or change agents');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await listAgents(apiKey ?? '')).to.equal(401);
  });

  it('saves the audit log as a file, under the policy of the page', async () => {
    const { page, complaints } = owner;
    await page.goto(app.url('audit'));
    await page.getByRole('table', { name: 'Audit records' }).waitFor();
    complaints.length = 0;
    await page.getByRole('button', { name: 'Export' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).to.equal('audit-log.csv');
    const [header, ...rows] = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n');
    expect(header).to.match(/^sequence,occurredAt,actorKind/);
    expect(rows.length).to.be.above(0);
    await page.getByText(`Saved ${rows.length} record`).waitFor();
    expect(complaints.filter((text) => text.includes('Content Security Policy'))).to.deep.equal([]);
  });
});
