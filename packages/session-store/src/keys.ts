/**
 * Every key that this package writes itself. Keys that one script touches share a hash tag, so that a cluster
 * keeps them on one node.
 */
export function tokenKeys(tokenHash: string): {
  ticket: string;
  tombstone: string;
  receipt: string;
} {
  const prefix = `parley:rt:{${tokenHash}}`;
  return { ticket: `${prefix}:t`, tombstone: `${prefix}:u`, receipt: `${prefix}:r` };
}

/** Before the id of the API key that is counted: one key for each count, so there is nothing to keep together. */
export function rateLimitPrefix(name: string): string {
  return `parley:rate:${name}`;
}
