import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { programPath } from '@parley/testkit';
import type { Parley } from './parley.js';
import { scenarios, type Outcome, type Scenario } from './scenarios.js';

const library = join(
  dirname(createRequire(import.meta.url).resolve('@openai/agents-realtime')),
  'bundle',
);

/** A customer's page. */
const html = `<!doctype html>
<title>Talk</title>
<script type="module">
  import * as library from '/library/openai-realtime-agents.mjs';
  import { useAgentsRealtime } from '/clients/agents-realtime.js';
  window.run = (scenario, { speech, ...connection }) => {
    const bytes = Uint8Array.from(atob(speech), (letter) => letter.charCodeAt(0));
    return useAgentsRealtime(library, scenario, { ...connection, speech: bytes });
  };
</script>`;

/** The page gets a secret of its own for each connection, as from the customer's backend. */
export async function inChromium(
  parley: Parley,
  model: string,
): Promise<ReadonlyMap<Scenario, Outcome>> {
  const pages = await servePage();
  const browser = await chromium.launch({
    executablePath: programPath('chromium-headless-shell'),
    args: ['--no-sandbox', '--disable-background-networking', '--ignore-certificate-errors'],
  });
  const outcomes = new Map<Scenario, Outcome>();
  try {
    const page = await browser.newPage();
    await page.goto(pages.url);
    await page.waitForFunction('window.run');
    const speech = await readFile(parley.speech, 'base64');
    for (const scenario of scenarios) {
      const apiKey = await parley.newSecret(model);
      const given = JSON.stringify({ baseUrl: parley.baseUrl, apiKey, model, speech });
      outcomes.set(scenario, await page.evaluate(`run(${JSON.stringify(scenario)}, ${given})`));
    }
    return outcomes;
  } finally {
    await browser.close();
    pages.close();
  }
}

async function servePage(): Promise<{ url: string; close(): void }> {
  const folders = new Map([
    ['library', library],
    ['clients', import.meta.dirname],
  ]);
  const server = createServer((request, response) => {
    const [, folder = '', name = ''] = (request.url ?? '').split('/');
    const found = folders.get(folder);
    if (found === undefined) return void response.setHeader('Content-Type', 'text/html').end(html);
    readFile(join(found, basename(name))).then(
      (code) => response.setHeader('Content-Type', 'text/javascript').end(code),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}
