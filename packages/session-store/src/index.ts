export {
  createApprovals,
  type Approvals,
  type ApprovalState,
  type ApprovalTicket,
  type Decision,
  type DecisionOutcome,
  type ExpiryOutcome,
} from './approvals.js';
export {
  createJobProducer,
  expireApprovalJob,
  jobQueues,
  resumeRunJob,
  type ExpireApproval,
  type JobProducer,
  type ResumeRun,
} from './job-producer.js';
export {
  createLiveSessions,
  type LiveSession,
  type LiveSessionOptions,
  type LiveSessionPage,
  type LiveSessions,
} from './live-sessions.js';
export {
  podChannel,
  publishTo,
  readHint,
  type PodHint,
  type PodHintKind,
  type Publisher,
} from './pod-channel.js';
export type { ScriptRunner } from './lua-script.js';
export {
  createRateLimit,
  rateWindowSeconds,
  type RateLimit,
  type RateVerdict,
} from './rate-limits.js';
export {
  connectRedis,
  RedisUnreachable,
  type Redis,
  type RedisClientOptions,
} from './redis-client.js';
export {
  createSessionTokens,
  hashSessionToken,
  isSessionToken,
  type IssuedToken,
  type SessionTicket,
  type SessionTokens,
  type TokenOutcome,
} from './session-tokens.js';
