import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { needs } from '@parley/testkit';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

describe('the playground, opened for an agent', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let visitor: Visitor;
  let page: Page;

  before(async () => {
    app = await ConsoleUnderTest.open();
  });
  after(() => app.close());
  beforeEach(async () => {
    visitor = await app.visit({ role: 'editor' });
    ({ page } = visitor);
  });
  afterEach(() => visitor.close());

  const message = () => page.getByRole('textbox', { name: 'Message' });
  const say = async (text: string) => {
    await message().fill(text);
    await page.keyboard.press('Enter');
  };
  it('gives back what could not be sent, before what was typed since', async () => {
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    await page.route(/realtime-session/, async (route) => {
      await refused;
      await route.fulfill({ status: 403 });
    });
    await page.goto(app.url('playground'));
    const asked = page.waitForRequest(/realtime-session/);
    await say('The first thing.');
    await asked;
    await message().fill('The second thing.');
    refuse();
    await page.waitForFunction(
      (box) => (box as HTMLTextAreaElement).value.includes('first'),
      await message().elementHandle(),
    );
    expect(await message().inputValue()).to.equal('The first thing.\nThe second thing.');
  });
});
