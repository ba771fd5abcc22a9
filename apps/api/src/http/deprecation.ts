import type { Operation } from '@parley/protocol';

/**
 * The Deprecation (RFC 9745) and Sunset (RFC 8594) headers of an operation, with a link to its
 * replacement; undefined if it is not deprecated.
 */
export function deprecationHeaders({ deprecated }: Operation): Record<string, string> | undefined {
  if (!deprecated) return undefined;
  const { since, sunset } = deprecated;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    Link: '</docs/whats-new>; rel="deprecation"; type="text/html"',
  };
}
