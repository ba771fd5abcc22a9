import * as foundation from './migrations/0001-foundation.js';
import * as toolCalls from './migrations/0002-tool-calls.js';
import * as idempotency from './migrations/0003-idempotency.js';
import * as filters from './migrations/0004-filters.js';
import * as files from './migrations/0005-files.js';
import * as webhooks from './migrations/0006-webhooks.js';
import * as questions from './migrations/0007-questions.js';
import * as quotas from './migrations/0008-quotas.js';
import * as approvers from './migrations/0009-approvers.js';
import * as record from './migrations/0010-record.js';
import * as turns from './migrations/0011-turns.js';
import * as passing from './migrations/0012-passing-conversations.js';
import * as accounts from './migrations/0013-accounts.js';
import * as insight from './migrations/0014-insight.js';
import * as agentVersion from './migrations/0015-agent-version.js';
import * as approvalOwner from './migrations/0016-approval-owner.js';
import * as appendAudit from './migrations/0017-append-audit.js';
import * as movedSessions from './migrations/0018-moved-sessions.js';
import * as callItems from './migrations/0019-call-items.js';
import * as fallbackConnections from './migrations/0020-fallback-connections.js';
import * as successors from './migrations/0021-successors.js';
import * as suspendedCalls from './migrations/0022-suspended-calls.js';
import * as callsOfSessions from './migrations/0023-calls-of-sessions.js';
import * as addresses from './migrations/0024-addresses-by-ascii-case.js';

/** In order. A merged migration is never edited. */
export const migrations = {
  '0001-foundation': foundation,
  '0002-tool-calls': toolCalls,
  '0003-idempotency': idempotency,
  '0004-filters': filters,
  '0005-files': files,
  '0006-webhooks': webhooks,
  '0007-questions': questions,
  '0008-quotas': quotas,
  '0009-approvers': approvers,
  '0010-record': record,
  '0011-turns': turns,
  '0012-passing-conversations': passing,
  '0013-accounts': accounts,
  '0014-insight': insight,
  '0015-agent-version': agentVersion,
  '0016-approval-owner': approvalOwner,
  '0017-append-audit': appendAudit,
  '0018-moved-sessions': movedSessions,
  '0019-call-items': callItems,
  '0020-fallback-connections': fallbackConnections,
  '0021-successors': successors,
  '0022-suspended-calls': suspendedCalls,
  '0023-calls-of-sessions': callsOfSessions,
  '0024-addresses-by-ascii-case': addresses,
};
