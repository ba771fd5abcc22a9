// npm run dev: rebuilds on change and restarts standalone after each build that succeeds.
import { join } from 'node:path';
import { root } from './build.mjs';
import { runAfterEachBuild } from './watch.mjs';

runAfterEachBuild(join(root, 'apps/standalone'), [join(root, 'apps/standalone/dist/main.js')]);
