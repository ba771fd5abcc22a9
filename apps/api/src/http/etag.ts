import { Problem } from '@parley/protocol';

/** One version of one resource. The id distinguishes a resource from another that replaced it. */
export function etagOf({ id, version }: { id: string; version: number }): string {
  return `"${id}.${version}"`;
}

const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(String.raw`^[ \t,]*${entityTag}[ \t]*(?:,[ \t]*(?:${entityTag}[ \t]*)?)*$`);

/**
 * Parses If-Match (RFC 9110, 13.1.1). Weak tags never match; without the header, every change is
 * allowed.
 */
export function ifMatch(header: string | undefined): (etag: string | undefined) => boolean {
  if (header === undefined) return () => true;
  if (header.trim() === '*') return (etag) => etag !== undefined;
  if (!list.test(header))
    throw new Problem('precondition-malformed', 'If-Match must be * or a list of entity tags.');
  const tags = new Set(header.match(new RegExp(entityTag, 'g')));
  return (etag) => etag !== undefined && tags.has(etag);
}

export function requireMatch(admitted: boolean): void {
  if (!admitted)
    throw new Problem(
      'precondition-failed',
      'The resource has changed and no longer matches If-Match.',
    );
}
