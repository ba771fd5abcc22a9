import { expect } from 'chai';
import { chromium, type Browser, type Page } from 'playwright-core';
import { RealtimeSession, type CreatedSession, type CreateSession } from '@parley/client';
import { needs, programPath, tcpProxy, waitFor } from '@parley/testkit';
import { scenarios, type Place } from './scenarios.js';
import { bundled } from './support/bundled.js';
import { Customer } from './support/customer.js';

const names = Object.keys(scenarios) as (keyof typeof scenarios)[];

describe('a realtime session', () => {
  let customer: Customer;
  let place: Place;
  before(async () => {
    customer = await Customer.open({ REALTIME_PROVIDER_RENEWALS: '0' });
    place = { baseUrl: customer.parley.credentials.baseUrl, backend: customer.origin };
  });
  after(() => customer.close());

  describe('on Node', () => {
    for (const name of names)
      it(name, async () => {
        expect(await scenarios[name].run(place)).to.deep.equal(scenarios[name].expected);
      });
  });

  it('goes on with its conversation when the network is cut', async () => {
    const network = await tcpProxy({ target: place.baseUrl });
    const create: CreateSession = (request) =>
      fetch(`${place.backend}/session`, { method: 'POST', body: JSON.stringify(request) }).then(
        (answer) => answer.json() as Promise<CreatedSession>,
      );
    const session = await RealtimeSession.connect({ create, baseUrl: network.url });
    const { conversationId } = session;
    const states: string[] = [];
    session.on('state', ({ state }) => states.push(state));
    session.sendText('!say This will not be heard to its end, for the network is cut.');
    await new Promise((resolve) => session.on('audio', resolve));
    network.cut();
    await waitFor(() => states.includes('open'), { what: 'another connection' });
    const [, answer] = session.messages;
    session.close();
    await network.stop();
    expect(states).to.deep.equal(['reconnecting', 'open', 'closed']);
    expect(answer!.interrupted).to.equal(true);
    expect(session.conversationId).to.equal(conversationId).and.not.to.equal(undefined);
  });

  describe('in a browser, under a strict policy', () => {
    needs('chromium');
    let browser: Browser;
    let page: Page;
    before(async () => {
      customer.headers['Content-Security-Policy'] =
        `default-src 'none'; script-src 'self'; connect-src 'self' ${place.baseUrl} ${place.baseUrl.replace('http', 'ws')} http://127.0.0.1:9 ws://127.0.0.1:9`;
      const entry = 'globalThis.scenarios = scenarios;';
      const code = await bundled(`import { scenarios } from './scenarios.js'; ${entry}`);
      customer.files.set('/page.js', { type: 'text/javascript', body: code });
      const body = '<!doctype html><script type="module" src="/page.js"></script>';
      customer.files.set('/', { type: 'text/html', body });
      browser = await chromium.launch({
        executablePath: programPath('chromium-headless-shell'),
        args: ['--no-sandbox', '--disable-background-networking'],
      });
      page = await browser.newPage();
      await page.goto(customer.origin);
      await page.waitForFunction('globalThis.scenarios');
    });
    after(() => browser.close());

    for (const name of names)
      it(name, async () => {
        const args = JSON.stringify(place);
        const outcome = await page.evaluate(`scenarios[${JSON.stringify(name)}].run(${args})`);
        expect(outcome).to.deep.equal(scenarios[name].expected);
      });
  });
});
