import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

describe('the filters of a list', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let visitor: Visitor;

  before(async () => {
    app = await ConsoleUnderTest.open();
    visitor = await app.visit({ locale: 'en-US' });
  });
  after(async () => {
    await visitor.close();
    await app.close();
  });

  it('take a day that is typed, and nothing before its year is complete', async () => {
    const { page } = visitor;
    await page.goto(app.url('audit'));
    const days: (string | null)[] = [];
    page.on('framenavigated', (frame) => days.push(new URL(frame.url()).searchParams.get('from')));
    await page.getByLabel('From').focus();
    await page.keyboard.type('11162026');
    await page.waitForURL(/from=2026-11-16/);
    expect(await page.getByLabel('From').inputValue()).to.equal('2026-11-16');
    expect(days).to.deep.equal(['2026-11-16']);
  });

  it('take a day at once with Enter, and forget what is no day', async () => {
    const { page } = visitor;
    await page.goto(app.url('usage?from=2026-11-01'));
    const from = page.getByLabel('From');
    await from.focus();
    await page.keyboard.type('11022026');
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=2026-11-02/);
    await page.keyboard.press('Backspace');
    await page.getByLabel('To', { exact: true }).focus();
    expect(await from.inputValue()).to.equal('2026-11-02');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL((url) => !url.searchParams.has('from'));
    expect(await from.inputValue()).to.equal('');
  });

  it('offer the agents on the usage page after an agent’s tools', async () => {
    const { page, complaints } = visitor;
    await page.goto(app.url(`agents/${app.credentials.agentId}?tab=tools`));
    await page.getByRole('button', { name: 'Add a tool' }).first().waitFor();
    complaints.length = 0;
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    const { name } = await app.parley.agents.get(app.credentials.agentId);
    await page.getByRole('combobox', { name: 'Agent' }).selectOption(name);
    await page.waitForURL(new RegExp(`agent=${app.credentials.agentId}`));
    expect(complaints).to.deep.equal([]);
  });
});
