import { clientEvents, clientRoutes, type ClientRoute } from '@parley/protocol';
import { holdsObject } from './binary-object.js';
import { onlyType } from './event-type.js';

export { clientEvents, clientRoutes, type ClientRoute };

const byType = new Map<string, ClientRoute>(Object.entries(clientEvents));

/** Some servers read JSON whatever the frame's opcode says: an object in a binary frame is judged as the same text would be. */
export function clientRoute(data: Buffer, binary: boolean): ClientRoute {
  if (binary && !holdsObject(data)) return 'binary';
  const type = onlyType(data);
  if (type === undefined) return 'malformed';
  return byType.get(type) ?? (isDisguised(type) ? 'malformed' : 'unknown');
}

/** A type that is ours to judge, for a reader that ignores case or spaces. */
function isDisguised(type: string): boolean {
  return byType.has(type.normalize('NFKC').trim().toLowerCase());
}
