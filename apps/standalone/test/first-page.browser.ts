import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { chromium, type Page } from 'playwright-core';
import { appProgram, needs, programPath, runNode, temporaryFolder, waitFor } from '@parley/testkit';

const main = appProgram('standalone');

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A customer's page: it knows a WebSocket's address and nothing else. */
const html = `<!doctype html>
<title>A customer's page</title>
<script>
  function open(url) {
    const session = { events: [], closed: undefined, socket: new WebSocket(url) };
    session.socket.onmessage = ({ data }) => session.events.push(JSON.parse(data));
    session.socket.onclose = ({ code, reason }) => (session.closed = { code, reason });
    window.session = session;
  }
  function say(text) {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    for (const event of [{ type: 'conversation.item.create', item }, { type: 'response.create' }])
      session.socket.send(JSON.stringify(event));
  }
</script>`;

type Credentials = { baseUrl: string; organizationId: string; apiKey: string; agentId: string };
type Seen = {
  events: { type: string; transcript?: string; error?: { code: string } }[];
  closed?: { code: number; reason: string };
};

describe('a browser', () => {
  needs('chromium');
  let credentials: Credentials;
  let page: Page;
  const stops: (() => Promise<void> | void)[] = [];

  before(async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const parley = runNode([main], { env: { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir } });
    stops.push(async () => {
      parley.child.kill('SIGINT');
      expect(await parley.ended).to.equal(0);
    });
    await parley.line(/Parley is ready/);
    credentials = JSON.parse(
      await readFile(join(dataDir, 'credentials.json'), 'utf8'),
    ) as Credentials;
    const pages = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end(html);
    }).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    stops.push(() => void pages.close());
    const browser = await chromium.launch({
      executablePath: programPath('chromium-headless-shell'),
      args: flags,
    });
    stops.push(() => browser.close());
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it('holds a conversation over a session’s path, and is told by close code that the path is used', async () => {
    const url = await newSession();
    await page.evaluate(`open(${JSON.stringify(url)})`);
    await event('session.updated');
    await page.evaluate(`say('!say Good morning!')`);
    const { transcript } = await event('response.output_audio_transcript.done');
    expect(transcript).to.equal('Good morning!');
    await event('response.done');
    expect((await seen()).events.map(({ type }) => type)).to.include('response.output_audio.delta');
    await page.evaluate('session.socket.close(1000)');
    expect(await closing()).to.include({ code: 1000 });

    await page.evaluate(`open(${JSON.stringify(`${url}&errors=close`)})`);
    const used = 'RealtimeSessionAlreadyUsed';
    expect(await closing()).to.deep.equal({ code: 4409, reason: used });
    expect((await seen()).events.map(({ error }) => error?.code)).to.deep.equal([used]);
  });

  it('learns nothing but 1006 of a refusal that it did not ask to have on the socket', async () => {
    const url = await newSession();
    await page.evaluate(`open(${JSON.stringify(url.replace('sessionId=', 'sessionId=x'))})`);
    expect(await closing()).to.deep.equal({ code: 1006, reason: '' });
    expect((await seen()).events).to.deep.equal([]);
  });

  /** What the customer's backend does for its user. */
  async function newSession(): Promise<string> {
    const { baseUrl, organizationId, apiKey, agentId } = credentials;
    const reply = await fetch(`${baseUrl}/api/v1/Agent/${agentId}/realtime-session`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId },
    });
    const { webSocketPath } = (await reply.json()) as { webSocketPath: string };
    return baseUrl.replace('http', 'ws') + webSocketPath;
  }

  const seen = () => page.evaluate<Seen>('({ events: session.events, closed: session.closed })');
  const event = (type: string) =>
    waitFor(async () => (await seen()).events.find((each) => each.type === type), { what: type });
  const closing = () => waitFor(async () => (await seen()).closed, { what: 'the close' });
});
