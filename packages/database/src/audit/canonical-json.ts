import canonicalize from 'canonicalize';

/**
 * Canonical JSON (RFC 8785): equal values give equal text, however PostgreSQL ordered the keys.
 * Throws on values that JSON cannot represent.
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}
