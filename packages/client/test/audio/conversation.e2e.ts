import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { needs } from '@parley/testkit';
import type * as Audio from '#src/audio/index.js';
import type * as Client from '#src/index.js';
import { bundled } from '../support/bundled.js';
import { Customer } from '../support/customer.js';
import { launchListening, plain } from './audio-browser.js';
import { sine } from './tones.js';

/** What the page has. */
declare const talk: {
  readonly library: typeof Audio;
  readonly connect: () => Promise<Client.RealtimeSession>;
  /** Resolves with the first raw event of a type. */
  readonly event: (session: Client.RealtimeSession, type: string) => Promise<Client.RawEvent>;
};

const script = (baseUrl: string) => `
  import { RealtimeSession } from '@parley/client';
  import * as library from '@parley/client/audio';
  const create = async (request) => {
    const response = await fetch('/session', { method: 'POST', body: JSON.stringify(request) });
    return response.json();
  };
  globalThis.talk = {
    library,
    connect: () => RealtimeSession.connect({ create, baseUrl: '${baseUrl}' }),
    event: (session, type) => new Promise((resolve) => session.on(type, resolve)),
  };`;

describe('a conversation by voice in a browser', () => {
  needs('chromium');
  let customer: Customer;
  let browser: Browser;
  let page: Page;

  before(async () => {
    customer = await Customer.open();
    const { baseUrl } = customer.parley.credentials;
    customer.headers['Content-Security-Policy'] =
      `default-src 'none'; script-src 'self'; connect-src 'self' ${baseUrl} ${baseUrl.replace('http', 'ws')}`;
    const type = 'text/javascript';
    const worklet = await readFile(join(import.meta.dirname, '../../dist/audio-worklet.js'));
    customer.files.set('/', {
      type: 'text/html',
      body: '<!doctype html><script type="module" src="/page.js"></script>',
    });
    customer.files.set('/page.js', { type, body: await bundled(script(baseUrl)) });
    customer.files.set('/audio-worklet.js', { type, body: worklet });
    // A word, and the pause after it.
    const heard = new Float32Array(48_000 * 4);
    heard.set(sine(300, 48_000, 1).map((sample) => sample / 2));
    browser = await launchListening(heard);
  });
  beforeEach(async () => {
    page = await browser.newPage({ permissions: ['microphone'] });
    await page.goto(customer.origin);
  });
  afterEach(() => page.close());
  after(async () => {
    await browser.close();
    await customer.close();
  });

  it('goes both ways: the agent hears the user, and answers aloud', async () => {
    const { roles, left } = await page.evaluate(async (microphone) => {
      const { library, connect, event } = talk;
      const session = await connect();
      const committed = event(session, 'input_audio_buffer.committed');
      const answered = event(session, 'response.output_audio.delta');
      const audio = await library.connectAudio(session, { microphone });
      await Promise.all([committed, answered]);
      const engine = audio.speaker!.output.context;
      await new Promise<void>((resolve) => {
        const look = () => (audio.levels.speaker > 0 ? resolve() : requestAnimationFrame(look));
        look();
      });
      const roles = session.messages.map(({ role }) => role);
      const closed = new Promise<void>((resolve) =>
        engine.addEventListener('statechange', () => resolve()),
      );
      session.close();
      await closed;
      return { roles, left: [audio.closed, engine.state] };
    }, plain);
    expect(roles).to.include('user').and.include('assistant');
    expect(left).to.deep.equal([true, 'closed']);
  });

  it('keeps of an answer that is interrupted what was heard', async () => {
    const { heard, truncated, message, after } = await page.evaluate(async () => {
      const { library, connect, event } = talk;
      const session = await connect();
      const audio = await library.connectAudio(session, { microphone: false });
      const truncation = event(session, 'conversation.item.truncated');
      session.sendText(`!say ${'It goes on and on. '.repeat(20)}`);
      const heard = await new Promise<Client.Heard>((resolve) => {
        const look = () => {
          const heard = audio.speaker!.heard();
          if (heard !== null && heard.ms > 400) resolve(heard);
          else requestAnimationFrame(look);
        };
        look();
      });
      session.interrupt();
      const after = audio.speaker!.heard();
      const truncated = await truncation;
      const message = session.messages.find(({ role }) => role === 'assistant');
      session.close();
      return { heard, truncated, message, after };
    });
    expect(truncated['item_id']).to.equal(heard.itemId);
    // A busy machine may play on between the question and the interruption; the answer is much longer.
    expect(truncated['audio_end_ms']).to.be.within(heard.ms, heard.ms + 1_000);
    expect(message).to.include({ interrupted: true });
    expect(after).to.equal(null);
  });
});
