import { createHash } from 'node:crypto';
import type { PartName } from '../core/ledger.js';

/**
 * The same part of the same item has the same id, so that writing it again after an uncertain
 * commit changes nothing.
 */
export function messageId(sessionId: string, { key, contentIndex }: PartName): string {
  const hash = createHash('sha256').update(`${sessionId} ${contentIndex} ${key}`).digest('hex');
  // Version 8, for custom UUIDs, and the matching variant.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
