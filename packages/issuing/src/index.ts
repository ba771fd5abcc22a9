export { checkClientTools } from './client-tools.js';
export { conversationFor } from './conversation-for.js';
export {
  findUsableKey,
  invalidKey,
  keyHash,
  requireOrganization,
  type Caller,
  type UsableKey,
} from './find-key.js';
export { issueSession, type IssuePorts, type IssueSettings } from './issue-session.js';
export { findModel } from './find-model.js';
export { quotaGuard, type QuotaGuard } from './quota-guard.js';
