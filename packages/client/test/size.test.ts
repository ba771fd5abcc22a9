import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bundled } from './support/bundled.js';

const kilobyte = 1024;
const worklet = join(import.meta.dirname, '../dist/audio-worklet.js');
const widget = join(import.meta.dirname, '../dist/widget.js');

const zipped = (code: string | Buffer) => gzipSync(code, { level: 9 }).length / kilobyte;

/** What a page loads, minified and compressed. */
describe('the size of', () => {
  it('a realtime session is at most 11 kB', async () => {
    const code = await bundled(`export { RealtimeSession } from '@parley/client';`);
    expect(zipped(code)).to.be.within(1, 11);
  });

  it('a realtime session with audio is at most 15 kB', async () => {
    const code = await bundled(
      `export { RealtimeSession } from '@parley/client'; export { connectAudio } from '@parley/client/audio';`,
    );
    expect(zipped(code) + zipped(await readFile(worklet))).to.be.within(1, 15);
  });

  it('the widget is at most 40 kB', async () => {
    expect(zipped(await readFile(widget)) + zipped(await readFile(worklet))).to.be.within(1, 40);
  });

  it('something that is not used is nothing', async () => {
    const code = await bundled(
      ['', '/audio', '/react', '/server']
        .map((entry) => `import '@parley/client${entry}';`)
        .join(' '),
    );
    expect(code.trim()).to.equal('');
  });
});
