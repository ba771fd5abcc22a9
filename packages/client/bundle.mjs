// Runs after the compiler and bundles the files that must be self-contained: the widget, the audio
// worklet (which a customer's bundler cannot see into), and the WebSocket for Node, so that the
// package has no dependencies.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const dist = join(import.meta.dirname, 'dist');

const ws = fileURLToPath(import.meta.resolve('ws'));
const license = readFileSync(join(dirname(ws), 'LICENSE'), 'utf8');

/** `input` is compiler output, or third-party code that is bundled with its license. */
const bundles = [
  { input: ws, file: 'sockets/ws.js', platform: 'node', banner: `/*! ws\n${license}*/` },
  { input: join(dist, 'audio/worklet.js'), file: 'audio-worklet.js', platform: 'browser' },
  { input: join(dist, 'widget/index.js'), file: 'widget.js', platform: 'browser' },
];

for (const { input, file, platform, banner } of bundles)
  await build({
    input,
    platform,
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'warn',
    output: { file: join(dist, file), format: 'esm', minify: platform === 'browser', banner },
  });
