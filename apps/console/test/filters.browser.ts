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
