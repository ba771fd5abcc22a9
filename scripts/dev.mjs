// npm run dev: rebuilds on change and restarts standalone after each build that succeeds; the console's pages change in the browser at once.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './build.mjs';
import { runAfterEachBuild } from './watch.mjs';

runAfterEachBuild(join(root, 'apps/standalone'), [join(root, 'apps/standalone/dist/main.js')]);

const vite = dirname(createRequire(import.meta.url).resolve('vite/package.json'));
const pages = spawn(process.execPath, [join(vite, 'bin/vite.js')], {
  cwd: join(root, 'apps/console'),
  stdio: 'inherit',
});
process.on('exit', () => pages.kill());
