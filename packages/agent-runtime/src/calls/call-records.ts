import {
  claimToolCall,
  findToolCall,
  recordToolCall,
  resumeToolCall,
  suspendToolCall,
  type Transactor,
  type NewToolCall,
  type OrganizationScope,
  type StoredToolCall,
} from '@parley/database';
import type { CallPlace } from './call.js';

/**
 * The record of the calls of one place. Each step is a separate transaction. If another process has
 * taken the session over, the place has no calls any more, and gets none.
 */
export type CallRecords = {
  record(call: NewToolCall): Promise<void>;
  claim(id: string): Promise<boolean>;
  find(id: string): Promise<StoredToolCall | undefined>;
  /** Both are false if the place no longer has the call. */
  suspend(id: string, suspended: object): Promise<boolean>;
  resume(id: string): Promise<boolean>;
};

export function callRecords(
  database: Transactor,
  { organizationId, sessionId }: Pick<CallPlace, 'organizationId' | 'sessionId'>,
): CallRecords {
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, work);
  return {
    async record(call) {
      if (!(await inScope((scope) => recordToolCall(scope, call))))
        throw new Error('another process has taken the session over');
    },
    claim: (id) => inScope((scope) => claimToolCall(scope, { id, sessionId })),
    find: (id) => inScope((scope) => findToolCall(scope, { id, sessionId })),
    suspend: (id, suspended) =>
      inScope((scope) => suspendToolCall(scope, { id, sessionId }, suspended)),
    resume: (id) => inScope((scope) => resumeToolCall(scope, { id, sessionId })),
  };
}
