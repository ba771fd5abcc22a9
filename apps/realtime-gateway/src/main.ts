import { openParts } from '@parley/parts';
import { earlyAnswer } from '@parley/protocol';
import { runProcess, serve } from '@parley/service-kit';
import { open } from './open.js';

/** A peer that does not finish its request is not waited for. */
const server = { headersTimeout: 8000, requestTimeout: 8000, connectionsCheckingInterval: 1000 };

await runProcess('realtime-gateway', { env: process.env }, async (own) =>
  serve(own, { ...(await open(await openParts(own))), server, answerFor: earlyAnswer }),
);
