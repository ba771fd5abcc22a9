import canonicalize from 'canonicalize';

/** JSON as RFC 8785 lays it down: equal values give equal text, whatever PostgreSQL did to the order. Throws on what no JSON can hold. */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}
