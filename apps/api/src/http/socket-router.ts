import { Router } from 'express';
import { Problem, realtimeSocketPath } from '@parley/protocol';
import { expressPath } from './router.js';

/**
 * The path of the WebSocket belongs to the gateway; requests for it here get an error that says so.
 */
export function socketRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const path = expressPath(realtimeSocketPath);
  router.get(path, () => {
    throw new Problem('upgrade-required', 'Open this path with a WebSocket client.', {
      headers: { Upgrade: 'websocket' },
    });
  });
  router.all(path, () => {
    throw new Problem('method-not-allowed', 'This path accepts GET.', {
      headers: { Allow: 'GET' },
    });
  });
  return router;
}
