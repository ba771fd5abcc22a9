import { Problem, realtimeSocketPath } from '@parley/protocol';
import type { Route } from './routes.js';

/**
 * The path of the WebSocket belongs to the gateway; requests for it here get an error that says so.
 */
export function socketRoute(): Route {
  const handle = () => {
    throw new Problem('upgrade-required', 'Open this path with a WebSocket client.', {
      headers: { Upgrade: 'websocket' },
    });
  };
  return { method: 'get', path: realtimeSocketPath, handle };
}
