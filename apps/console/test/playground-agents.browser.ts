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
  const log = () => page.getByRole('log');
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

  it('goes on with the end of a long conversation, and links to all of it', async () => {
    const { agentId } = app.credentials;
    let conversationId: string | undefined;
    for (let turn = 1; turn <= 101; turn++)
      ({ conversationId } = await app.parley.questions.ask(agentId, {
        question: `!say This is answer ${turn}.`,
        conversationId,
      }));
    await page.goto(app.url(`playground?agent=${agentId}&conversation=${conversationId}`));
    await log().getByText('This is answer 101.', { exact: true }).waitFor();
    expect(await log().getByText('This is answer 1.', { exact: true }).count()).to.equal(0);
    const link = log().getByRole('link', { name: 'Read all of it' });
    expect(await link.getAttribute('href')).to.include(`/conversations/${conversationId}`);
  });

  it('goes on with what was said since it was left', async () => {
    const { agentId } = app.credentials;
    const { conversationId } = await app.parley.questions.ask(agentId, { question: '!say One.' });
    await page.goto(app.url(`conversations/${conversationId}`));
    const goOn = async () => {
      await page.getByRole('link', { name: 'Continue in the playground' }).click();
      await message().waitFor();
    };
    await goOn();
    await log().getByText('One.', { exact: true }).waitFor();
    await page.goBack();
    await app.parley.questions.ask(agentId, { question: '!say Two.', conversationId });
    await goOn();
    await log().getByText('Two.', { exact: true }).waitFor();
    expect(await log().getByText('One.', { exact: true }).count()).to.equal(1);
  });
});
