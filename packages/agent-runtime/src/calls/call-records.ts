import {
  claimToolCall,
  findToolCall,
  recordOwnToolCall,
  type Transactor,
  type NewToolCall,
  type OrganizationScope,
  type StoredToolCall,
} from '@parley/database';

/** The record of one organization's calls. Each step is a separate transaction. */
export type CallRecords = {
  record(call: NewToolCall): Promise<void>;
  claim(id: string): Promise<boolean>;
  find(id: string): Promise<StoredToolCall | undefined>;
};

export function callRecords(database: Transactor, organizationId: string): CallRecords {
  const inScope = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, work);
  return {
    record: (call) => inScope((scope) => recordOwnToolCall(scope, call)),
    claim: (id) => inScope((scope) => claimToolCall(scope, id)),
    find: (id) => inScope((scope) => findToolCall(scope, id)),
  };
}
