import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { spokenAudio } from '@parley/provider-simulator';
import { needs, temporaryFolder, wavFile } from '@parley/testkit';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';

const rate = 24_000;

/** A WAV file: silence, a sentence, and silence. */
function sentence(): Buffer {
  const spoken = spokenAudio('Could you tell me how late it is, please?', { silenceMs: 0 });
  const data = Buffer.alloc(rate * 2 * 14);
  spoken.copy(data, rate * 2 * 3);
  return wavFile(data, rate);
}

/** Counts how often the page asks for a microphone. */
const countAsks = `
  globalThis.asks = 0;
  const media = navigator.mediaDevices;
  const ask = media.getUserMedia.bind(media);
  media.getUserMedia = (wanted) => { asks += 1; return ask(wanted); };`;

describe('the playground', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let visitor: Visitor;
  let page: Page;

  before(async () => {
    const file = join(await temporaryFolder(), 'sentence.wav');
    await writeFile(file, sentence());
    app = await ConsoleUnderTest.open([`--use-file-for-fake-audio-capture=${file}%noloop`]);
  });
  after(() => app.close());
  beforeEach(async () => {
    visitor = await app.visit({ role: 'editor', permissions: ['microphone'] });
    ({ page } = visitor);
    await page.addInitScript(countAsks);
    await page.goto(app.url('playground'));
  });
  afterEach(() => visitor.close());

  const say = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.keyboard.press('Enter');
  };
  const log = () => page.getByRole('log');

  it('is a chat that shows tools, asks for approval, and exports its events, without a microphone', async () => {
    await say('What is the current time?');
    const card = page.getByRole('article', { name: 'Tool: Looking at the clock' });
    await card.getByText('Done').waitFor();
    await log()
      .getByText(/Here is what current time returned/)
      .waitFor();

    await say('Create a task to call the plumber');
    const approval = page.getByRole('article', { name: 'Approval: Creating a task' });
    expect(await approval.getByRole('timer').innerText()).to.match(/^[45]:\d\d left$/);
    expect(await approval.innerText()).to.include('call the plumber');
    await approval.getByRole('button', { name: 'Approve' }).click();
    await log()
      .getByText(/Here is what create task returned/)
      .waitFor();
    const done = page.getByRole('article', { name: 'Tool: Creating a task' });
    expect(await done.innerText()).to.match(/approved by\s+You/);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as JSON lines' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    const events = lines.map(
      (line) => JSON.parse(line) as { direction: string; event: { type: string } },
    );
    const told = events.map(({ direction, event }) => `${direction} ${event.type}`);
    expect(told[0]).to.equal('received session.created');
    expect(told).to.include.members([
      'sent conversation.item.create',
      'received response.function_invocation.done',
      'received approval.waiting',
      'sent approval.approve',
      'received approval.approved',
    ]);
    expect(await page.evaluate('asks')).to.equal(0);
    expect(new URL(page.url()).searchParams.get('conversation')).to.match(/^[\da-f-]{36}$/);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it('is talked to with a microphone, which is asked for at the click', async () => {
    await page.getByRole('button', { name: 'Talk', exact: true }).click();
    await page.getByRole('button', { name: 'Mute the microphone' }).waitFor();
    await log()
      .getByText(/I heard/)
      .waitFor({ timeout: 30_000 });
    await page.getByRole('tab', { name: 'Latency' }).click();
    const turn = page.getByRole('region', { name: 'Turn 1, spoken' });
    await turn.getByText(/first audio after/).waitFor();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByText('The session has ended').waitFor();
    expect(await page.evaluate('asks')).to.equal(1);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it('drops a session that is still being opened when another conversation begins', async () => {
    let open: () => void = () => undefined;
    const opening = new Promise<void>((resolve) => (open = resolve));
    await page.route(
      /\/realtime-session$/,
      async (route) => {
        await opening;
        await route.continue().catch(() => undefined);
      },
      { times: 1 },
    );
    const asked = page.waitForRequest(/\/realtime-session$/);
    await say('!say The first one.');
    await asked;
    await page.getByRole('button', { name: 'New conversation' }).click();
    const message = page.getByRole('textbox', { name: 'Message' });
    await page.waitForFunction(
      (box) => (box as HTMLTextAreaElement).value !== '',
      await message.elementHandle(),
    );
    expect(await message.inputValue()).to.equal('!say The first one.');
    open();
    await say('!say The second one.');
    await log().getByText('The second one.', { exact: true }).waitFor();
    expect(
      await log()
        .getByText(/The first one/)
        .count(),
    ).to.equal(0);
    expect(visitor.complaints).to.deep.equal([]);
  });

  it('lets the agent use this page, and goes on with the conversation after a reload', async () => {
    await page.getByRole('switch', { name: 'Let the agent change this page’s colour' }).click();
    await say('Change the color of the page to green');
    await page.locator('[data-tint="green"]').waitFor();
    await log()
      .getByText(/Here is what change page color returned/)
      .waitFor();
    await page.reload();
    await log().getByText('Change the color of the page to green').waitFor();
    await say('!say Still here.');
    await log().getByText('Still here.', { exact: true }).waitFor();
    expect(await log().getByText('Change the color of the page to green').count()).to.equal(1);
  });
});
