import type { Logger } from '@parley/service-kit';
import type { LiveSessions } from '@parley/session-store';

/**
 * Ends the live sessions of a deleted resource. The deletion stands, whether they can be reached or
 * not.
 */
export type EndSessions = (
  organizationId: string,
  of: { readonly agentId: string } | { readonly conversationId: string },
) => Promise<void>;

export function sessionEnder(
  liveSessions: Pick<LiveSessions, 'list' | 'revoke'>,
  logger: Logger,
): EndSessions {
  return async (organizationId, of) => {
    try {
      const everything = { offset: 0, limit: Infinity, ...of };
      const { items } = await liveSessions.list(organizationId, everything);
      for (const { id } of items) await liveSessions.revoke(organizationId, id);
    } catch (err) {
      logger.warn({ err, ...of }, 'ending live sessions failed');
    }
  };
}
