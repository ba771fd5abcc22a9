import type { Redis } from 'ioredis';
import { resumePathKey } from './keys.js';

export type ResumableId = { readonly organizationId: string; readonly id: string };

/**
 * Which session a resume path leads to, for all pods. Only the hashes of tokens are stored, as with
 * session tokens.
 */
export type ResumePaths = {
  lead(tokenHash: string, session: ResumableId, seconds: number): Promise<void>;
  forget(tokenHash: string): Promise<void>;
  /** Undefined if the path leads nowhere. */
  find(tokenHash: string): Promise<ResumableId | undefined>;
};

export function createResumePaths(redis: Pick<Redis, 'set' | 'get' | 'del'>): ResumePaths {
  return {
    async lead(tokenHash, { organizationId, id }, seconds) {
      await redis.set(resumePathKey(tokenHash), `${organizationId} ${id}`, 'EX', seconds);
    },
    async forget(tokenHash) {
      await redis.del(resumePathKey(tokenHash));
    },
    async find(tokenHash) {
      const text = await redis.get(resumePathKey(tokenHash));
      const [organizationId, id] = text?.split(' ') ?? [];
      return organizationId && id ? { organizationId, id } : undefined;
    },
  };
}
