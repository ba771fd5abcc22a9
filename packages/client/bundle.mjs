// Makes the files that must stand alone, after the compiler: the widget, the audio worklet (which no bundler of a customer's sees into), and the
// WebSocket for Node, so that the package has no dependencies.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = join(import.meta.dirname, 'dist');

/** `input` is what the compiler has made, or a package. */
const bundles = [
  {
    input: fileURLToPath(import.meta.resolve('ws')),
    file: 'sockets/ws.js',
    platform: 'node',
  },
  { input: join(dist, 'audio/worklet.js'), file: 'audio-worklet.js', platform: 'browser' },
  { input: join(dist, 'widget/index.js'), file: 'widget.js', platform: 'browser' },
];

for (const { input, file, platform } of bundles) {
  if (!existsSync(input)) continue;
  await build({
    input,
    platform,
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'warn',
    output: {
      file: join(dist, file),
      format: 'esm',
      minify: platform === 'browser',
      comments: { legal: true },
    },
  });
}
