// npm run admin -- …: builds and runs the administrator's command line.
import { build } from './build.mjs';

build('apps/admin');
await import('../dist/admin.js');
