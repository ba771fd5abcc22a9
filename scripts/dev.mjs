// npm run dev: rebuilds on change and restarts standalone after each successful build; the console
// reloads in the browser.
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
