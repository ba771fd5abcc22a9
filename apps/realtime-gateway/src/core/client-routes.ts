import { clientEvents, clientRoutes, type ClientRoute } from '@parley/protocol';
import { holdsObject } from './binary-object.js';
import { textOf, TypeFinder } from './event-type.js';
import { TypeTable } from './type-table.js';

export { clientEvents, clientRoutes, type ClientRoute };

const table = new TypeTable<ClientRoute>(clientEvents);
const type = new TypeFinder();

/**
 * Some servers parse JSON whatever the frame's opcode says, so an object in a binary frame is
 * treated like the same text.
 */
export function clientRoute(data: Buffer, binary: boolean): ClientRoute {
  return binary && !holdsObject(data) ? 'binary' : clientTextRoute(data, 0, data.length);
}

/** The route of the text between these positions. */
export function clientTextRoute(data: Buffer, from: number, to: number): ClientRoute {
  if (!type.only(data, from, to)) return 'malformed';
  return (
    table.written(data, type.start, type.end) ?? otherRoute(textOf(data, type.start, type.end))
  );
}

function otherRoute(type: string | undefined): ClientRoute {
  if (type === undefined) return 'malformed';
  return table.of(type) ?? (isDisguised(type) ? 'malformed' : 'unknown');
}

/**
 * Whether a parser that ignores case or spaces would read this as a type that the gateway handles.
 */
function isDisguised(type: string): boolean {
  return table.of(type.normalize('NFKC').trim().toLowerCase()) !== undefined;
}
