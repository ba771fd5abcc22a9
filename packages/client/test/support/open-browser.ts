import { chromium, type Browser } from 'playwright-core';
import { programPath } from '@parley/testkit';

/** Chromium with a microphone that nobody speaks into, unless further arguments say what it hears. */
export function openBrowser(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--use-fake-device-for-media-stream',
      ...more,
    ],
  });
}
