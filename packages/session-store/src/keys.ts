/**
 * Every key that this package writes itself. Keys that one script touches share a hash tag, so that
 * a cluster keeps them on one node.
 */
export function tokenKeys(tokenHash: string): {
  ticket: string;
  tombstone: string;
  receipt: string;
} {
  const prefix = `parley:rt:{${tokenHash}}`;
  return { ticket: `${prefix}:t`, tombstone: `${prefix}:u`, receipt: `${prefix}:r` };
}

const live = 'parley:{live}';

/** All live sessions are on one node: a heartbeat writes several of these keys at once. */
export const liveKeys = {
  beats: `${live}:beats`,
  sessions: `${live}:sessions`,
  revoked: `${live}:revoked`,
  watch: `${live}:watch`,
  ofOrganization: (organizationId: string) => `${live}:of:${organizationId}`,
} as const;

/** The session that a resume path leads to. */
export function resumePathKey(tokenHash: string): string {
  return `parley:resume:${tokenHash}`;
}

/** Recent events of an organization. */
export function eventsKey(organizationId: string): string {
  return `parley:events:${organizationId}`;
}

export const auditWatchKey = 'parley:audit-watch';

export function consoleSessionKey(hash: string): string {
  return `parley:console:${hash}`;
}

/**
 * All counts of one caller, such as an API key, are on one node: one call may count a request
 * twice.
 */
export function rateLimitKey(name: string, callerId: string): string {
  return `parley:rate:${name}:{${callerId}}`;
}

/** Exists for a while after a caller has changed. On the node of its counts, which are read with it. */
export function changedCallerKey(callerId: string): string {
  return `parley:changed:{${callerId}}`;
}
