import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { needs, runNode } from '@parley/testkit';
import { bundled } from './support/bundled.js';
import { Customer } from './support/customer.js';
import { openBrowser } from './support/open-browser.js';

const examples = join(import.meta.dirname, '../examples');

describe('the examples that talk', () => {
  let customer: Customer;
  let env: Record<string, string>;
  before(async () => {
    customer = await Customer.open();
    const { baseUrl, apiKey, organizationId } = customer.parley.credentials;
    env = {
      PARLEY_URL: baseUrl,
      PARLEY_API_KEY: apiKey,
      PARLEY_ORGANIZATION: organizationId,
      PARLEY_AGENT: customer.agentId,
      PORT: '0',
    };
  });
  after(() => customer.close());

  it('node-talk.mjs answers what is written, and lets the agent ask this machine', async () => {
    const talk = runNode([join(examples, 'node-talk.mjs')], { env, input: null });
    await talk.line(/Type a message/);
    talk.child.stdin!.write('!say Good day.\n');
    await talk.line(/^(> )?Good day\.$/);
    talk.child.stdin!.write('!call machine_load {}\n');
    await talk.line(/machine_load: done/);
    await talk.line(/machine load returned/);
    talk.child.stdin!.end();
    expect(await talk.ended).to.equal(0);
  });

  describe('in a browser', () => {
    needs('chromium');
    let browser: Browser;
    let page: Page;
    before(async () => {
      browser = await openBrowser();
    });
    beforeEach(async () => {
      const context = await browser.newContext({ permissions: ['microphone'] });
      page = await context.newPage();
    });
    afterEach(() => page.context().close());
    after(() => browser.close());

    const type = async (text: string) => {
      await page.getByLabel('Message').fill(text);
      await page.getByLabel('Message').press('Enter');
    };

    it('plain-page.html talks through express-backend.mjs, also without a microphone', async () => {
      await page.context().clearPermissions();
      const backend = runNode([join(examples, 'express-backend.mjs')], { env });
      await page.goto(/http:\/\/\S+/.exec(await backend.line(/http:/))![0]);
      await page.getByRole('button', { name: 'Call' }).click();
      await page.getByText('microphone').waitFor();
      await type('!say Welcome to the shop.');
      await page.getByText('Welcome to the shop.', { exact: true }).waitFor();
      page.once('dialog', (dialog) => void dialog.accept());
      await type('!call current_time {}');
      await page.getByText('current time returned').waitFor();
      expect(await page.locator('li').count()).to.equal(4);
      await backend.stop();
    });

    it('react-page.jsx calls, chats and approves, in strict mode', async () => {
      const code = await bundled(await readFile(join(examples, 'react-page.jsx'), 'utf8'), 'jsx');
      customer.files.set('/page.js', { type: 'text/javascript', body: code });
      customer.files.set('/audio-worklet.js', {
        type: 'text/javascript',
        body: await readFile(join(import.meta.dirname, '../dist/audio-worklet.js')),
      });
      const body = '<!doctype html><main></main><script type="module" src="/page.js"></script>';
      customer.files.set('/', { type: 'text/html', body });
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(customer.origin);
      await page.getByRole('button', { name: 'Call' }).click();
      await page.getByLabel('Your voice').waitFor();
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.getByRole('button', { name: 'Call' }).waitFor();
      await page.getByRole('button', { name: 'Chat' }).click();
      await type('!call current_time {}');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('current time returned').waitFor();
      await page.getByRole('button', { name: 'Hang up' }).click();
      await page.getByRole('button', { name: 'Chat' }).waitFor();
      expect(complaints).to.deep.equal([]);
    });
  });
});
