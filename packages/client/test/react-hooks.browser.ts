import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { needs } from '@parley/testkit';
import type { UseMicrophone, UseRealtimeSession } from '@parley/client/react';
import { bundled } from './support/bundled.js';
import { openBrowser } from './support/open-browser.js';

/** What the page has: what its hooks returned last, and the prompts that wait for the user. */
declare global {
  var call: UseRealtimeSession;
  var microphone: UseMicrophone;
  const states: readonly string[];
  const prompts: readonly { allow(): void; deny(): void }[];
  const tracks: readonly MediaStreamTrack[];
}

const origin = 'http://localhost';

/** The worklet is in the script, because requests for worklets are not routed. */
const scriptWith = (worklet: Buffer) => `
import { createRoot } from 'react-dom/client';
import { useMicrophone, useRealtimeSession } from '@parley/client/react';

Object.assign(globalThis, { states: [], prompts: [], tracks: [] });
const { mediaDevices } = navigator;
const ask = mediaDevices.getUserMedia.bind(mediaDevices);
mediaDevices.getUserMedia = async (wish) => {
  await new Promise((allow, reject) => {
    prompts.push({ allow, deny: () => reject(new DOMException('No.', 'NotAllowedError')) });
  });
  const stream = await ask(wish);
  tracks.push(...stream.getTracks());
  return stream;
};

let sessions = 0;
const create = () => '/session/' + sessions++;
const workletUrl = 'data:text/javascript;base64,${worklet.toString('base64')}';
const audio = location.hash === '#voice' && { speaker: false, microphone: { workletUrl } };

function Hooks() {
  globalThis.call = useRealtimeSession({ create, audio });
  globalThis.microphone = useMicrophone({ workletUrl });
  if (states.at(-1) !== call.state) states.push(call.state);
}
createRoot(document.querySelector('main')).render(<Hooks />);
`;

describe('a page with the React hooks', () => {
  needs('chromium');
  let files: Map<string, { contentType: string; body: string }>;
  let browser: Browser;
  let page: Page;
  let sockets: WebSocketRoute[];

  before(async () => {
    const html = '<!doctype html><main></main><script type="module" src="/page.js"></script>';
    const worklet = await readFile(join(import.meta.dirname, '../dist/audio-worklet.js'));
    const code = await bundled(scriptWith(worklet), 'jsx');
    files = new Map([
      ['/', { contentType: 'text/html', body: html }],
      ['/page.js', { contentType: 'text/javascript', body: code }],
    ]);
    browser = await openBrowser();
  });
  beforeEach(async () => {
    const context = await browser.newContext({ permissions: ['microphone'] });
    page = await context.newPage();
    sockets = [];
    await page.route(`${origin}/**`, (route) => {
      const file = files.get(new URL(route.request().url()).pathname);
      return route.fulfill(file ?? { status: 404 });
    });
    await page.routeWebSocket(/\/session\//, (socket) => {
      sockets.push(socket);
      socket.send(JSON.stringify({ type: 'session.updated' }));
    });
  });
  afterEach(() => page.context().close());
  after(() => browser.close());

  const visit = async (kind: 'voice' | 'text') => {
    await page.goto(`${origin}/#${kind}`);
    await page.waitForFunction(() => 'call' in globalThis);
  };
  const become = (state: UseRealtimeSession['state']) =>
    page.waitForFunction((wanted) => call.state === wanted, state);
  const asked = (times: number) => page.waitForFunction((count) => prompts.length === count, times);
  const reason = () => page.evaluate(() => (call.error as { reason?: string } | undefined)?.reason);
  const trackStates = () => page.evaluate(() => tracks.map(({ readyState }) => readyState));
  const timeOut = (socket: WebSocketRoute) => socket.close({ code: 4411, reason: 'IdleTimeout' });

  it('says why a session closed while the user was asked for the microphone, and connects again', async () => {
    await visit('voice');
    await page.evaluate(() => call.connect());
    await asked(1);
    await timeOut(sockets[0]!);
    await become('closed');
    expect(await reason()).to.equal('IdleTimeout');
    await page.evaluate(() => call.connect());
    await asked(2);
    await page.evaluate(() => prompts[1]!.allow());
    await become('open');
    expect(await reason()).to.equal(undefined);
    await page.evaluate(() => prompts[0]!.allow());
    await page.waitForFunction(() => tracks[1]?.readyState === 'ended');
    expect(await trackStates()).to.deep.equal(['live', 'ended']);
  });

  it('hangs up at once although the user was not done with the microphone', async () => {
    await visit('voice');
    await page.evaluate(() => call.connect());
    await asked(1);
    const hungUp = new Promise((resolve) => sockets[0]!.onClose(resolve));
    await page.evaluate(() => call.disconnect());
    await become('closed');
    expect(await hungUp).to.equal(1000);
    expect(await page.evaluate(() => call.error)).to.equal(undefined);
  });

  it('shows nothing of an attempt that was replaced by another', async () => {
    await visit('text');
    await page.evaluate(() => {
      call.connect();
      call.disconnect();
      call.connect();
    });
    await become('open');
    expect(await page.evaluate(() => states)).to.deep.equal(['idle', 'connecting', 'open']);
  });

  it('shows nothing of a replaced attempt for which the user was asked for the microphone', async () => {
    await visit('voice');
    await page.evaluate(() => call.connect());
    await asked(1);
    await page.evaluate(() => {
      call.disconnect();
      call.connect();
    });
    await asked(2);
    await page.evaluate(() => prompts[0]!.allow());
    await page.waitForFunction(() => tracks[0]?.readyState === 'ended');
    await page.evaluate(() => prompts[1]!.allow());
    await become('open');
    expect(await page.evaluate(() => states)).to.deep.equal(['idle', 'connecting', 'open']);
  });

  it('shows the error of a session no longer when the next one is open', async () => {
    await visit('text');
    await page.evaluate(() => call.connect());
    await become('open');
    await timeOut(sockets[0]!);
    await become('closed');
    expect(await reason()).to.equal('IdleTimeout');
    await page.evaluate(() => call.connect());
    await become('open');
    expect(await reason()).to.equal(undefined);
  });

  describe('and a microphone that is on', () => {
    beforeEach(async () => {
      await visit('text');
      await page.evaluate(() => microphone.start());
      await asked(1);
      await page.evaluate(() => prompts[0]!.allow());
      await page.waitForFunction(() => microphone.state === 'on');
    });
    const failToStart = async () => {
      await page.evaluate(() => microphone.start());
      await page.waitForFunction(() => microphone.state === 'asking');
      await asked(2);
      await page.evaluate(() => prompts[1]!.deny());
      await page.waitForFunction(() => microphone.state !== 'asking');
      return page.evaluate(() => ({ state: microphone.state, muted: microphone.muted }));
    };

    it('keeps it, muted as it is, if no other can be opened', async () => {
      await page.evaluate(() => microphone.mute());
      expect(await failToStart()).to.deep.equal({ state: 'on', muted: true });
    });

    it('still says that it ended if no other can be opened', async () => {
      await page.evaluate(() => tracks[0]!.dispatchEvent(new Event('ended')));
      await page.waitForFunction(() => microphone.state === 'ended');
      expect(await failToStart()).to.deep.equal({ state: 'ended', muted: false });
    });

    it('shows it no longer if it was closed with its session, and cannot be opened again', async () => {
      await page.evaluate(() => microphone.microphone!.close());
      await page.waitForFunction(() => microphone.state === 'off');
      expect(await failToStart()).to.deep.equal({ state: 'off', muted: false });
    });
  });
});
