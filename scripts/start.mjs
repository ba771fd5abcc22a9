// npm start: builds and runs Parley standalone, in this process, so that signals reach it.
import { build } from './build.mjs';

console.log('Building Parley …');
build('apps/standalone');
await import('../dist/standalone.js');
