import './favour-memory.js';
import { openParts } from '@parley/parts';
import { earlyAnswer } from '@parley/protocol';
import { runProcess, serve } from '@parley/service-kit';
import { open } from './open.js';

/** Peers that do not finish their request are disconnected. */
const server = { headersTimeout: 8000, requestTimeout: 8000, connectionsCheckingInterval: 1000 };

await runProcess('realtime-gateway', { env: process.env }, async (own) =>
  serve(own, { ...(await open(await openParts(own))), server, answerFor: earlyAnswer }),
);
