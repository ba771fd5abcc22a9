import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { needs, programPath, startStandalone, type Standalone } from '@parley/testkit';
import { sections } from '#src/pages.js';
import { snippetsOf } from './support/snippets.js';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
];
const paths = sections
  .flatMap(({ pages }) => Object.keys(pages))
  .map((name) => (name === 'index' ? '/docs' : `/docs/${name}`));
const widths = { desktop: 1440, phone: 390 };

describe('the docs in a browser', () => {
  needs('chromium');
  let parley: Standalone;
  let browser: Browser;
  let context: BrowserContext | undefined;
  /** What the browser complains about: errors, and what the page's policy forbids. */
  let complaints: string[];

  before(async () => {
    parley = await startStandalone();
    browser = await chromium.launch({
      executablePath: programPath('chromium-headless-shell'),
      args: flags,
    });
  });
  afterEach(async () => {
    await context?.close();
    context = undefined;
  });
  after(async () => {
    await browser.close();
    await parley.stop();
  });

  async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    complaints = [];
    context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(parley.credentials.baseUrl)) complaints.push(request.url());
    });
    return page;
  }
  const at = (path: string) => parley.credentials.baseUrl + path;

  for (const [name, width] of Object.entries(widths))
    it(`open on every page without a complaint and fit the width of a ${name}`, async () => {
      const page = await openPage({ viewport: { width, height: 844 } });
      for (const path of ['/', ...paths]) {
        const response = await page.goto(at(path));
        expect(response?.status(), path).to.equal(200);
        const overflow = 'document.documentElement.scrollWidth - innerWidth';
        expect(await page.evaluate<number>(overflow), path).to.be.at.most(0);
      }
      expect(complaints).to.deep.equal([]);
    });

  it('let a reader send a request with a key, which is kept nowhere', async () => {
    const { organizationId, apiKey, agentId } = parley.credentials;
    const page = await openPage();
    await page.goto(at('/docs/api'));
    await page.getByLabel('Organization id').fill(organizationId);
    await page.getByLabel('API key').fill(apiKey);
    const place = page.locator('[data-operation=getAgent]');
    await place.getByRole('button', { name: 'Try it' }).click();
    await place.getByLabel('agentId').fill(agentId);
    expect(await place.locator('.curl').innerText())
      .to.include(`$BASE_URL/api/v1/Agent/${agentId}`)
      .and.not.include(apiKey);
    await place.getByRole('button', { name: 'Send GET' }).click();
    expect(await place.locator('.status').innerText()).to.equal('200 OK');
    expect(await place.locator('.answer').innerText()).to.include('Demo agent');
    await place.getByText('Headers').click();
    expect(await place.locator('.answer').innerText()).to.include('x-request-id');
    const kept = 'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])';
    expect(await page.evaluate<string>(kept)).not.to.include(apiKey);
    expect(page.url()).not.to.include(apiKey);
    expect(complaints).to.deep.equal([]);
  });

  it('begin a body with an example, and show what is wrong with a request', async () => {
    const { organizationId, apiKey } = parley.credentials;
    const page = await openPage();
    await page.goto(at('/docs/api'));
    await page.getByLabel('Organization id').fill(organizationId);
    await page.getByLabel('API key').fill(apiKey);
    const place = page.locator('[data-operation=createAgent]');
    await place.getByRole('button', { name: 'Try it' }).click();
    expect(JSON.parse(await place.getByLabel('Body').inputValue())).to.have.property('name');
    await place.getByLabel('Body').fill('{"nme": "<b>x</b>"}');
    await place.getByRole('button', { name: 'Send POST' }).click();
    expect(await place.locator('.status').innerText()).to.equal('400 Bad Request');
    expect(await place.locator('.answer').innerText()).to.include('/docs/errors#body-invalid');
  });

  it('are light or dark as the system is, and as the reader chooses from then on', async () => {
    const background = 'getComputedStyle(document.body).backgroundColor';
    const page = await openPage({ colorScheme: 'dark' });
    await page.goto(at('/docs'));
    const dark = await page.evaluate<string>(background);
    await page.getByRole('button', { name: 'Switch between light and dark' }).click();
    const light = await page.evaluate<string>(background);
    expect([dark, light]).to.deep.equal(['rgb(18, 19, 23)', 'rgb(255, 255, 255)']);
    await page.goto(at('/docs/quick-start'));
    expect(await page.evaluate<string>(background)).to.equal(light);
  });

  it('find pages by words, copy code, and show the menu on a phone', async () => {
    const page = await openPage({
      viewport: { width: widths.phone, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(at('/docs/quick-start'));
    const figure = page.locator('figure.code').nth(1);
    await figure.getByRole('button', { name: 'Copy' }).click();
    await figure.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).to.include('export BASE_URL=');
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByLabel('Search the docs').fill('secrets');
    await page.locator('.found').getByText('HTTP tools').click();
    await page.waitForURL('**/docs/http-tools#secrets');
    expect(complaints).to.deep.equal([]);
  });

  it('have a page for talking from a browser that works as it stands', async () => {
    const page = await openPage();
    const customer = await customerOf(parley);
    try {
      await page.goto(customer.url);
      await page.getByPlaceholder('Or type here').fill('!say Good morning!');
      await page.getByPlaceholder('Or type here').press('Enter');
      await page.getByText('Agent: Good morning!').waitFor();
      const lines = await page.locator('li').allInnerTexts();
      expect(lines).to.include('You: !say Good morning!');
    } finally {
      customer.server.close();
    }
  });
});

/** The guide's page, and the part of its backend that creates sessions. */
async function customerOf(parley: Standalone): Promise<{ url: string; server: Server }> {
  const html = snippetsOf('browser').find(({ language }) => language === 'html')!.code;
  const { baseUrl, organizationId, apiKey, agentId } = parley.credentials;
  const createSession = async () => {
    const reply = await fetch(`${baseUrl}/api/v1/Agent/${agentId}/realtime-session`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId },
    });
    const { webSocketPath } = (await reply.json()) as { webSocketPath: string };
    return JSON.stringify({ url: baseUrl.replace('http', 'ws') + webSocketPath });
  };
  const server = createServer((request, response) => {
    if (request.method === 'POST') void createSession().then((body) => response.end(body));
    else response.setHeader('Content-Type', 'text/html').end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}
