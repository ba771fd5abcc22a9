import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '@parley/protocol';

/** One version of one resource. The id distinguishes a resource from another that replaced it. */
export function etagOf({ id, version }: { id: string; version: number }): string {
  return `"${id}.${version}"`;
}

const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const list = new RegExp(String.raw`^[ \t,]*${entityTag}[ \t]*(?:,[ \t]*(?:${entityTag}[ \t]*)?)*$`);

/** Whether a resource with this ETag may be changed; `undefined` stands for one that is absent. */
type Condition = (etag: string | undefined) => boolean;

/** If-Match and If-None-Match; without them, every change is allowed. */
export function preconditions(headers: IncomingHttpHeaders): Condition {
  const matches = ifMatch(headers['if-match']);
  const isNone = ifNoneMatch(headers['if-none-match']);
  return (etag) => matches(etag) && isNone(etag);
}

/** RFC 9110, 13.1.1. Weak tags never match. */
function ifMatch(header: string | undefined): Condition {
  if (header === undefined) return () => true;
  if (header.trim() === '*') return (etag) => etag !== undefined;
  const tags = tagsIn('If-Match', header);
  return (etag) => etag !== undefined && tags.has(etag);
}

/** RFC 9110, 13.1.2. A weak tag stands for the strong one. */
function ifNoneMatch(header: string | undefined): Condition {
  if (header === undefined) return () => true;
  if (header.trim() === '*') return (etag) => etag === undefined;
  const tags = new Set([...tagsIn('If-None-Match', header)].map((tag) => tag.replace(/^W\//, '')));
  return (etag) => etag === undefined || !tags.has(etag);
}

function tagsIn(name: string, header: string): Set<string> {
  if (!list.test(header))
    throw new Problem('precondition-malformed', `${name} must be * or a list of entity tags.`);
  return new Set(header.match(new RegExp(entityTag, 'g')));
}

export function requireMatch(admitted: boolean): void {
  if (!admitted)
    throw new Problem(
      'precondition-failed',
      'The current state of the resource does not meet If-Match or If-None-Match.',
    );
}
