import { randomUUID } from 'node:crypto';
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
  const newAgent = (name: string, realtimeEnabled = true) =>
    app.parley.agents.create({ name, systemMessage: 'You answer.', realtimeEnabled });

  it('talks to the agent of the address, also if there are too many to list it', async () => {
    const { id } = await newAgent('Night desk');
    await page.route(/\/api\/v1\/Agent\?/, async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { items: { id: string }[] };
      const items = list.items.filter((agent) => agent.id !== id);
      await route.fulfill({ response, json: { ...list, items } });
    });
    await page.goto(app.url(`playground?agent=${id}`));
    await page.getByLabel('Agent', { exact: true }).waitFor();
    expect(await page.getByLabel('Agent', { exact: true }).inputValue()).to.equal(id);
    const asked = page.waitForRequest(/realtime-session/);
    await say('!say Good evening.');
    expect((await asked).url()).to.include(id);
    await log().getByText('Good evening.', { exact: true }).waitFor();
  });

  it('talks to nobody if that agent takes no sessions, and links to it', async () => {
    const { id } = await newAgent('Text desk', false);
    await page.goto(app.url(`playground?agent=${id}`));
    const link = page.getByRole('link', { name: 'Text desk' });
    await link.waitFor();
    expect(await link.getAttribute('href')).to.include(`/agents/${id}`);
    expect(await message().isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Talk', exact: true }).isDisabled()).to.equal(
      true,
    );
  });

  it('talks to nobody if that agent is gone, until another one is chosen', async () => {
    await page.goto(app.url(`playground?agent=${randomUUID()}`));
    await page.getByText('This agent no longer exists').waitFor();
    expect(await message().isDisabled()).to.equal(true);
    const { agentId } = app.credentials;
    await page.getByLabel('Agent', { exact: true }).selectOption(agentId);
    await page.waitForURL(new RegExp(`agent=${agentId}`));
    await say('!say Here I am.');
    await log().getByText('Here I am.', { exact: true }).waitFor();
    expect(await page.getByText('This agent no longer exists').count()).to.equal(0);
  });

  it('keeps its agent when somebody in a call follows the link to the playground', async () => {
    const { id } = await newAgent('Day desk');
    await page.goto(app.url(`playground?agent=${id}`));
    await say('!say Good morning.');
    await log().getByText('Good morning.', { exact: true }).waitFor();
    await page.waitForURL(/conversation=/);
    const conversation = new URL(page.url()).searchParams.get('conversation');
    await page.getByRole('link', { name: 'Playground' }).first().click();
    await page.waitForURL(/agent=.*conversation=|conversation=.*agent=/);
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('conversation')).to.equal(conversation);
    expect(searchParams.get('agent')).to.equal(id);
    expect(await page.getByLabel('Agent', { exact: true }).inputValue()).to.equal(id);
  });

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
    const { conversationId } = await app.parley.questions.ask(agentId, { question: 'Hello' });
    const { items } = await app.parley.conversations.listMessages(conversationId);
    const all = Array.from({ length: 201 }, (_, at) => ({
      ...items.at(-1),
      id: randomUUID(),
      content: `This is answer ${at + 1}.`,
    }));
    await page.route(/\/message\?/, async (route) => {
      const { searchParams } = new URL(route.request().url());
      const [offset, limit] = ['Offset', 'Limit'].map((name) => Number(searchParams.get(name)));
      const part = all.slice(offset, Number(offset) + Number(limit));
      await route.fulfill({ json: { items: part, total: all.length, offset, limit } });
    });
    await page.goto(app.url(`playground?agent=${agentId}&conversation=${conversationId}`));
    await log().getByText('This is answer 201.', { exact: true }).waitFor();
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
