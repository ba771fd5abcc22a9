import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { programPath, temporaryFolder } from '@parley/testkit';
import type * as Audio from '#src/audio/index.js';
import { serveAudioPage } from './audio-page.js';
import { sine } from './tones.js';
import { wav } from './wav.js';

/** What the page has. */
declare global {
  const library: Promise<typeof Audio>;
  const opened: {
    readonly contexts: AudioContext[];
    readonly tracks: MediaStreamTrack[];
    readonly constraints: MediaStreamConstraints[];
  };
}

/** What the microphone hears: a tone, and another above what 24 kHz can carry. */
export const tones = { low: 1_000, high: 15_000, amplitude: 0.4 };
/** Nothing of the browser's that would change the tones. */
export const plain = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** The page under this name is not secure, since it is not served over HTTPS. */
export const insecureHost = 'insecure.test';

/** A browser for the suite, with a page for each test that may use the microphone. */
export function audioBrowser() {
  let served: Awaited<ReturnType<typeof serveAudioPage>>;
  let browser: Browser;
  const current = {
    url: '',
    context: undefined as unknown as BrowserContext,
    page: undefined as unknown as Page,
    /** Errors of the page, and what its policy forbids. */
    complaints: [] as string[],
  };
  before(async () => {
    served = await serveAudioPage();
    browser = await launchListening(sound());
  });
  beforeEach(async () => {
    const context = await browser.newContext({ permissions: ['microphone'] });
    const page = await context.newPage();
    Object.assign(current, { url: served.url, context, page, complaints: [] });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) current.complaints.push(message.text());
    });
    page.on('pageerror', (error) => current.complaints.push(error.message));
    await page.goto(served.url);
  });
  afterEach(() => current.context.close());
  after(async () => {
    await browser.close();
    served.close();
  });
  return current;
}

/** Its microphone hears `samples`, at 48 kHz, again and again. */
export async function launchListening(samples: Float32Array): Promise<Browser> {
  const file = join(await temporaryFolder(), 'microphone.wav');
  await writeFile(file, wav(samples, 48_000));
  return chromium.launch({
    executablePath: programPath('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--autoplay-policy=document-user-activation-required',
      '--use-fake-device-for-media-stream',
      `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
      `--use-file-for-fake-audio-capture=${file}`,
    ],
  });
}

function sound(): Float32Array {
  const high = sine(tones.high, 48_000, 2);
  return sine(tones.low, 48_000, 2).map((low, n) => tones.amplitude * (low + high[n]!));
}
