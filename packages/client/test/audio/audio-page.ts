import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

const html = `<!doctype html>
<title>Talk</title>
<script type="module" src="/page.js"></script>
<button>Start</button>`;

/** Before the package's own code: what it opens is kept, for the tests to see whether it is closed. */
const script = `
globalThis.opened = { contexts: [], tracks: [], constraints: [] };
globalThis.AudioContext = class extends AudioContext {
  constructor(options) {
    super(options);
    opened.contexts.push(this);
  }
};
const ask = globalThis.MediaDevices?.prototype.getUserMedia;
if (ask) MediaDevices.prototype.getUserMedia = async function (constraints) {
  opened.constraints.push(constraints);
  const stream = await ask.call(this, constraints);
  opened.tracks.push(...stream.getTracks());
  return stream;
};
globalThis.library = import('/client/audio/index.js');
// Whatever the tests evaluate counts as a gesture of the user's; this does not.
if (location.hash === '#early') void library.then(async ({ Speaker }) => {
  const speaker = await Speaker.open();
  console.info(speaker.state);
  speaker.onState((state) => console.info(state));
});
`;

const texts = new Map([
  ['/', { type: 'text/html', text: html }],
  ['/page.js', { type: 'text/javascript', text: script }],
]);
const folders = new Map([
  ['client', join(import.meta.dirname, '../../dist')],
  ['test', import.meta.dirname],
]);

/** A customer's page, with a policy as strict as it gets. */
export async function serveAudioPage(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'");
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const known = texts.get(pathname);
    if (known !== undefined)
      return void response.setHeader('Content-Type', known.type).end(known.text);
    const [, folder = '', ...path] = normalize(pathname).split('/');
    const found = folders.get(folder);
    if (found === undefined) return void response.writeHead(404).end();
    readFile(join(found, ...path)).then(
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
