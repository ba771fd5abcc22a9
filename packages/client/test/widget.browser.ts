import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { needs, temporaryFolder, wavFile } from '@parley/testkit';
import type { ParleyError } from '@parley/client';
import type { ParleyAgentElement } from '@parley/client/widget';
import { Customer } from './support/customer.js';
import { openBrowser } from './support/open-browser.js';

const example = join(import.meta.dirname, '../examples/widget-page.html');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Counts how often the page asks for the microphone, and keeps what it got. */
const watchMicrophone = `
  globalThis.microphones = [];
  const { mediaDevices } = navigator;
  const ask = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = (wish) => {
    const asked = ask(wish);
    microphones.push(asked);
    return asked;
  };`;

/** The page's own script runs before the widget's. */
const tools = `
  document.querySelector('parley-agent').tools = {
    highlight: {
      description: 'Highlights a plant on the page.',
      parameters: { type: 'object', properties: { plant: { type: 'string' } } },
      execute: ({ plant }) => { document.title = plant; return 'Done.'; },
    },
  };`;

describe('the widget', () => {
  needs('chromium');
  let customer: Customer;
  let browser: Browser;
  let context: BrowserContext | undefined;
  /** What the browser complains about: errors, and what the page's policy forbids. */
  let complaints: string[];

  before(async () => {
    customer = await Customer.open();
    const { baseUrl } = customer.parley.credentials;
    const body = readFileSync(example, 'utf8')
      .replaceAll('https://parley.example.com', baseUrl)
      .replaceAll('wss://parley.example.com', baseUrl.replace('http', 'ws'));
    const ownScript = body.replace('</body>', '<script src="/tools.js"></script></body>');
    customer.files.set('/', { type: 'text/html', body: ownScript });
    customer.files.set('/tools.js', { type: 'text/javascript', body: tools });
    customer.files.set('/favicon.ico', { type: 'image/x-icon', body: '' });
    customer.headers['Content-Security-Policy'] =
      "style-src 'self'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
    // Chromium's own fake microphone beeps, and the agent would answer that.
    const silence = join(await temporaryFolder(), 'silence.wav');
    await writeFile(silence, wavFile(Buffer.alloc(2 * 24_000), 24_000));
    browser = await openBrowser(`--use-file-for-fake-audio-capture=${silence}`);
  });
  afterEach(async () => {
    await context?.close();
    context = undefined;
  });
  after(async () => {
    await browser.close();
    await customer.close();
  });

  async function visit(options: BrowserContextOptions = {}): Promise<Page> {
    complaints = [];
    context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(watchMicrophone);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(customer.origin);
    await page.waitForFunction('customElements.get("parley-agent")');
    return page;
  }

  const open = (page: Page) => page.getByRole('button', { name: 'Open the assistant' }).click();
  const write = async (page: Page, text: string) => {
    await page.getByLabel('Write a message').fill(text);
    await page.keyboard.press('Enter');
  };
  const asked = (page: Page) => page.evaluate<number>('microphones.length');
  const words = (page: Page) => page.locator('.message .words').allInnerTexts();

  /** What somebody with a screen reader, a keyboard or weak eyes would stumble over. */
  async function barriers(page: Page): Promise<string[]> {
    await page.evaluate(axe);
    const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      "axe.run('parley-agent', { resultTypes: ['violations'] }).then(({ violations }) => violations)",
    );
    return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }

  it('opens, answers what is written, and asks for no microphone', async () => {
    const page = await visit();
    await open(page);
    const panel = page.getByRole('dialog', { name: 'Garden assistant' });
    await panel.getByText('What are you growing?').waitFor();
    await page.keyboard.type('!say Tomatoes <b>grow</b> well at https://example.com/tomatoes.');
    await page.keyboard.press('Enter');
    const link = panel.getByRole('link', { name: 'https://example.com/tomatoes' });
    await link.waitFor();
    await page.locator('.message.assistant[data-final]').waitFor();
    expect(await words(page)).to.deep.equal([
      '!say Tomatoes <b>grow</b> well at https://example.com/tomatoes.',
      'Tomatoes <b>grow</b> well at https://example.com/tomatoes.',
    ]);
    expect(await link.last().getAttribute('rel')).to.include('noopener');
    expect(await page.locator('[aria-live=polite]').innerText()).to.include(
      'Agent: Tomatoes <b>grow</b> well',
    );
    expect(await asked(page)).to.equal(0);
    await page.keyboard.press('Escape');
    const launcher = page.getByRole('button', { name: 'Open the assistant' });
    expect(await launcher.evaluate((node) => node.matches(':focus'))).to.equal(true);
    expect(await panel.isVisible()).to.equal(false);
    expect(complaints).to.deep.equal([]);
  });

  it('lets a person decide by keyboard, and shows what became of it', async () => {
    const page = await visit();
    await open(page);
    await write(page, '!call current_time {"timeZone": "Europe/Lisbon"}');
    const card = page.locator('.card');
    await card.getByRole('button', { name: 'Approve Look at the clock' }).waitFor();
    expect(await card.innerText())
      .to.include('Needs your approval')
      .and.match(/\b(5:00|4:5\d)\b/)
      .and.match(/Time zone\s+Europe\/Lisbon/);
    expect(await barriers(page)).to.deep.equal([]);
    await page.keyboard.type('r');
    expect(await page.getByLabel('Write a message').inputValue()).to.equal('r');
    await page.getByRole('log', { name: 'Conversation' }).focus();
    await page.keyboard.press('a');
    await card.getByText('You approved this · Done').waitFor();
    await page.locator('.message .words').nth(1).waitFor();
    await write(page, '!call current_time {"timeZone": "Asia/Tokyo"}');
    await page.getByRole('button', { name: 'Reject Look at the clock' }).press('Enter');
    await card.nth(1).getByText('You rejected this').waitFor();
    await write(page, '!call current_time {"timeZone": "Asia/Seoul"}');
    await page.getByRole('button', { name: 'Approve Look at the clock' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Open the assistant: Needs your approval' }).click();
    const { items } = (await customer.call('GET', '/Approval')) as { items: { id: string }[] };
    await customer.call('POST', `/Approval/${items.at(-1)!.id}/approve`);
    await card.nth(2).getByText('Somebody else approved this · Done').waitFor();
    expect(await card.count()).to.equal(3);
    expect(complaints).to.deep.equal([]);
  });

  it('lets the agent call the page’s own tools', async () => {
    const page = await visit();
    await open(page);
    await write(page, '!call highlight {"plant": "Basil"}');
    await page.locator('.card').getByText('Done', { exact: true }).waitFor();
    expect(await page.title()).to.equal('Basil');
    expect(await page.locator('.card-title').innerText()).to.equal('Highlight');
  });

  it('talks by microphone once that is wanted, and lets go of it', async () => {
    const page = await visit({ permissions: ['microphone'] });
    await open(page);
    expect(await asked(page)).to.equal(0);
    await page.getByRole('button', { name: /^Talk/ }).click();
    await page.getByRole('button', { name: /^Listening/ }).waitFor();
    expect(await asked(page)).to.equal(1);
    await page.getByRole('button', { name: 'Mute the microphone' }).click();
    await page.getByRole('button', { name: 'Unmute the microphone', pressed: true }).waitFor();
    await write(page, `!say ${'Tomatoes love the sun. '.repeat(20)}`);
    await page.getByRole('button', { name: /^Speaking/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Muted/ }).click();
    await page.getByRole('button', { name: /^Talk/ }).waitFor();
    const state = 'microphones[0].then((stream) => stream.getTracks()[0].readyState)';
    expect(await page.evaluate<string>(state)).to.equal('ended');
    expect(complaints).to.deep.equal([]);
  });

  it('sends what was said while the button of push-to-talk was held', async () => {
    const page = await visit({ permissions: ['microphone'] });
    await page.locator('parley-agent').evaluate((node) => node.setAttribute('talk', 'push'));
    await open(page);
    const connected = page.waitForEvent('websocket');
    await page.getByRole('button', { name: /^Talk/ }).click();
    const socket = await connected;
    const talk = page.getByRole('button', { name: /^Hold to talk/ });
    await talk.focus();
    let pieces = 0;
    const spoken = socket.waitForEvent(
      'framesent',
      ({ payload }) => String(payload).includes('input_audio_buffer.append') && ++pieces === 5,
    );
    await page.keyboard.down(' ');
    await page.getByText('Let go to send').waitFor();
    await spoken;
    await page.keyboard.up(' ');
    await page.locator('.message.assistant[data-final]').waitFor();
    expect(await page.locator('.message.user').count()).to.equal(1);
    expect(complaints).to.deep.equal([]);
  });

  it('keeps the microphone when the connection is lost while the button is held', async () => {
    const page = await visit({ permissions: ['microphone'] });
    await page.locator('parley-agent').evaluate((node) => node.setAttribute('talk', 'push'));
    let lose: () => Promise<void> = () => Promise.reject(new Error('There is no connection.'));
    await page.routeWebSocket(/realtime/, (socket) => {
      socket.connectToServer();
      lose = () => socket.close({ code: 1012, reason: 'ServiceRestart' });
    });
    await open(page);
    await page.getByRole('button', { name: /^Talk/ }).click();
    await page.getByRole('button', { name: /^Hold to talk/ }).hover();
    await page.mouse.down();
    await page.getByText('Let go to send').waitFor();
    let letGo: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/session', async (route) => {
      await released;
      await route.continue();
    });
    await lose();
    await page.getByRole('button', { name: /^Reconnecting/ }).waitFor();
    await page.mouse.up();
    letGo();
    await page.getByRole('button', { name: /^Hold to talk/ }).waitFor();
    expect(await asked(page)).to.equal(1);
  });

  it('keeps the focus when the same texts are set again', async () => {
    const page = await visit();
    await open(page);
    const agent = page.locator('parley-agent');
    const say = (hint: string) =>
      agent.evaluate((node: ParleyAgentElement, greetingHint) => {
        node.texts = { greetingHint };
      }, hint);
    await say('Plants');
    await page.getByLabel('Write a message').focus();
    await say('Plants');
    await page.keyboard.type('Hello');
    expect(await page.getByLabel('Write a message').inputValue()).to.equal('Hello');
    await say('Flowers');
    await page.getByText('Flowers', { exact: true }).waitFor();
  });

  it('says in words that the microphone is blocked, and goes on in writing', async () => {
    const page = await visit();
    await open(page);
    await page.getByRole('button', { name: /^Talk/ }).click();
    await page.getByText('The microphone is blocked').waitFor();
    expect(await barriers(page)).to.deep.equal([]);
    await write(page, '!say We can write.');
    await page.getByText('We can write.', { exact: true }).waitFor();
    expect(await page.getByText('The microphone is blocked').isVisible()).to.equal(false);
    expect(complaints).to.deep.equal([]);
  });

  it('never asks for the microphone in text mode, in German, on a phone in the dark', async () => {
    const page = await visit({
      viewport: { width: 390, height: 844 },
      permissions: ['microphone'],
    });
    await page.locator('parley-agent').evaluate((node: ParleyAgentElement) => {
      for (const [name, value] of Object.entries({ mode: 'text', lang: 'de-AT', theme: 'dark' }))
        node.setAttribute(name, value);
      node.texts = { send: 'Ab die Post' };
      node.open = true;
    });
    const panel = page.getByRole('dialog');
    expect(await panel.boundingBox()).to.deep.equal({ x: 0, y: 0, width: 390, height: 844 });
    await page.getByLabel('Nachricht schreiben').fill('!say Guten Tag.');
    await page.getByRole('button', { name: 'Ab die Post' }).click();
    await page.getByText('Guten Tag.', { exact: true }).waitFor();
    expect(await panel.getByRole('button', { name: /Sprechen/ }).count()).to.equal(0);
    expect(await asked(page)).to.equal(0);
    expect(await barriers(page)).to.deep.equal([]);
  });

  it('gives back what was written when the page gets no session, and tells the page', async () => {
    const page = await visit();
    await page.locator('parley-agent').evaluate((node: ParleyAgentElement) => {
      node.setAttribute('create', '/nowhere');
      node.addEventListener('parley-error', (event) => {
        const { detail } = event as CustomEvent<ParleyError>;
        Object.assign(globalThis, { told: detail.code });
      });
    });
    await open(page);
    await write(page, 'Hello');
    await page.getByText('The conversation could not start').waitFor();
    expect(await page.getByLabel('Write a message').inputValue()).to.equal('Hello');
    expect(await page.evaluate<string>('told')).to.equal('create-failed');
    await page.locator('parley-agent').evaluate((node) => node.setAttribute('create', '/session'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Connected').waitFor();
  });

  it('gives back what was written before what was typed since', async () => {
    const page = await visit();
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => (refuse = resolve));
    await page.route('**/session', async (route) => {
      await refused;
      await route.fulfill({ status: 403 });
    });
    await open(page);
    await write(page, 'Hello');
    await page.keyboard.type('Anybody there?');
    refuse();
    await page.getByText('The conversation could not start').waitFor();
    expect(await page.getByLabel('Write a message').inputValue()).to.equal('Hello\nAnybody there?');
  });

  it('still offers to try again when the microphone is blocked as well', async () => {
    const page = await visit();
    await page.route('**/session', (route) => route.fulfill({ status: 403 }), { times: 1 });
    await open(page);
    await write(page, 'Hello');
    await page.getByText('The conversation could not start').waitFor();
    await page.evaluate(() => {
      const blocked = new Promise<void>((resolve) => {
        document.addEventListener('parley-error', () => resolve(), { once: true });
      });
      Object.assign(globalThis, { blocked });
    });
    await page.getByRole('button', { name: /^Talk/ }).click();
    await page.evaluate('blocked');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The microphone is blocked').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Connected').waitFor();
    expect(await page.getByText('The microphone is blocked').isVisible()).to.equal(false);
  });

  it('tells that the network is gone and that the session has ended, and starts again', async () => {
    const page = await visit();
    await open(page);
    await write(page, '!say One.');
    await page.getByText('One.', { exact: true }).waitFor();
    await context!.setOffline(true);
    await page.getByText('You are offline').waitFor();
    await context!.setOffline(false);
    const live = await customer.call('GET', '/RealtimeSession');
    const { items } = live as { items: { id: string }[] };
    await customer.call('DELETE', `/RealtimeSession/${items.at(-1)!.id}`);
    await page.getByText('The conversation has ended').waitFor();
    const again = page.getByRole('button', { name: 'Start again' });
    expect(await again.evaluate((node) => node.matches(':focus'))).to.equal(true);
    await page.keyboard.press('Enter');
    expect(await words(page)).to.deep.equal([]);
    await page.keyboard.type('!say Two.');
    await page.keyboard.press('Enter');
    await page.getByText('Two.', { exact: true }).waitFor();
    expect(await words(page)).to.deep.equal(['!say Two.', 'Two.']);
  });

  it('leaves nothing behind when it is removed, and is defined once', async () => {
    const page = await visit({ permissions: ['microphone'] });
    const sockets: Promise<unknown>[] = [];
    page.on('websocket', (socket) => sockets.push(socket.waitForEvent('close')));
    const { baseUrl } = customer.parley.credentials;
    await page.evaluate(`import(${JSON.stringify(`${baseUrl}/widget.js?again`)})`);
    await open(page);
    await page.getByRole('button', { name: /^Talk/ }).click();
    await page.getByRole('button', { name: /^Listening/ }).waitFor();
    await page.locator('parley-agent').evaluate((node) => node.remove());
    await Promise.all(sockets);
    expect(sockets).to.have.length(1);
    const state = 'microphones[0].then((stream) => stream.getTracks()[0].readyState)';
    expect(await page.evaluate<string>(state)).to.equal('ended');
    expect(complaints).to.deep.equal([]);
  });
});
