// npm run test:watch: rebuilds on change and runs the unit tests after each successful build.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './build.mjs';
import { runAfterEachBuild } from './watch.mjs';

const mocha = dirname(createRequire(import.meta.url).resolve('mocha/package.json'));
const units = '{packages,apps,.}/*/dist-test/**/*.test.js';
runAfterEachBuild(root, [join(mocha, 'bin/mocha.js'), '--reporter', 'dot', units]);
