import { providerEvents, providerRoutes, type ProviderRoute } from '@parley/protocol';
import { textOf, TypeFinder } from './event-type.js';
import { TypeTable } from './type-table.js';

export { providerEvents, providerRoutes, type ProviderRoute };

const table = new TypeTable<ProviderRoute>(providerEvents);
const type = new TypeFinder();

export function providerRoute(data: Buffer, binary: boolean): ProviderRoute {
  return binary ? 'binary' : providerTextRoute(data, 0, data.length);
}

/** The route of the text between these positions. */
export function providerTextRoute(data: Buffer, from: number, to: number): ProviderRoute {
  if (!type.first(data, from, to)) return 'unknown';
  return (
    table.written(data, type.start, type.end) ??
    table.of(textOf(data, type.start, type.end) ?? '') ??
    'unknown'
  );
}
