import { clientEvents, clientRoutes, type ClientRoute } from '@parley/protocol';
import { onlyType } from './event-type.js';

export { clientEvents, clientRoutes, type ClientRoute };

const byType = new Map<string, ClientRoute>(Object.entries(clientEvents));

export function clientRoute(data: Buffer, binary: boolean): ClientRoute {
  if (binary) return 'binary';
  const type = onlyType(data);
  return type === undefined ? 'malformed' : (byType.get(type) ?? 'unknown');
}
