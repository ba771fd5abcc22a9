import { providerEvents, providerRoutes, type ProviderRoute } from '@parley/protocol';
import { firstType } from './event-type.js';

export { providerEvents, providerRoutes, type ProviderRoute };

const byType = new Map<string, ProviderRoute>(Object.entries(providerEvents));

export function providerRoute(data: Buffer, binary: boolean): ProviderRoute {
  if (binary) return 'binary';
  return byType.get(firstType(data) ?? '') ?? 'unknown';
}
