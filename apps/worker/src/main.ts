import { openParts } from '@parley/parts';
import { runProcess } from '@parley/service-kit';
import { open } from './open.js';

await runProcess('worker', { env: process.env }, async (own) => {
  await open(await openParts(own));
  return {};
});
