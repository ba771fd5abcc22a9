import { setFlagsFromString } from 'node:v8';

// Imported before anything else. The api waits for PostgreSQL most of the time; left to itself, V8 lets the garbage of a long export pile up to
// 190 MiB, with this the process stays near 100 MiB at the same pace (`npm run bench:audit`).
setFlagsFromString('--optimize-for-size');
