// npm run dev: rebuilds on change and restarts standalone after each build that succeeds.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { root } from './build.mjs';

const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const builder = spawn(
  process.execPath,
  [compiler, '-b', '--watch', '--preserveWatchOutput', join(root, 'apps/standalone')],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);

let app;
let stopping = false;
let restart = Promise.resolve();

createInterface({ input: builder.stdout }).on('line', (line) => {
  console.log(line);
  if (/Found 0 errors/.test(line)) restart = restart.then(startAgain);
});
builder.on('exit', (code) => void stop(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(0));

async function startAgain() {
  await end(app);
  if (stopping) return;
  app = spawn(process.execPath, [join(root, 'apps/standalone/dist/main.js')], { stdio: 'inherit' });
}

async function stop(code) {
  if (stopping) return;
  stopping = true;
  builder.kill();
  await end(app);
  process.exit(code);
}

function end(child) {
  if (!child || child.exitCode !== null) return Promise.resolve();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return gone;
}
