import type { Redis } from 'ioredis';
import { resumePathKey } from './keys.js';

/**
 * Which session a resume path leads to, for all pods. Only the hashes of tokens are stored, as with
 * session tokens.
 */
export type ResumePaths = {
  lead(tokenHash: string, sessionId: string, seconds: number): Promise<void>;
  forget(tokenHash: string): Promise<void>;
  /** The session's id; undefined if the path leads nowhere. */
  find(tokenHash: string): Promise<string | undefined>;
};

export function createResumePaths(redis: Pick<Redis, 'set' | 'get' | 'del'>): ResumePaths {
  return {
    async lead(tokenHash, sessionId, seconds) {
      await redis.set(resumePathKey(tokenHash), sessionId, 'EX', seconds);
    },
    async forget(tokenHash) {
      await redis.del(resumePathKey(tokenHash));
    },
    find: async (tokenHash) => (await redis.get(resumePathKey(tokenHash))) ?? undefined,
  };
}
