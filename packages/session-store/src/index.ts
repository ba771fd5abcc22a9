export {
  createAuditWatch,
  type AuditState,
  type AuditWalk,
  type AuditWatch,
} from './audit-watch.js';
export { createChangedKeys, type ChangedKeys } from './changed-keys.js';
export {
  consoleSessionLimits,
  createConsoleSessions,
  isConsoleToken,
  type ConsoleSession,
  type ConsoleSessions,
} from './console-sessions.js';
export { orUnavailable, redisUnavailable } from './unavailable.js';
export {
  createEventLog,
  eventsChannel,
  isEarlier,
  type EventLog,
  type EventsRead,
  type LoggedEvent,
} from './event-log.js';
export { createEventPublisher, eventText } from './event-publisher.js';
export { createFailedAttempts, type FailedAttempts } from './failed-attempts.js';
export {
  jobQueues,
  openJobProducer,
  openJobQueue,
  type ExpireApproval,
  type JobProducer,
  type ResumeRun,
} from './job-producer.js';
export {
  createLiveSessions,
  lostAfterMs,
  type LiveSession,
  type LiveSessions,
} from './live-sessions.js';
export { podChannel, publishTo, readHint, type PodHint, type Publisher } from './pod-channel.js';
export {
  createRateLimit,
  rateWindowSeconds,
  type RateLimit,
  type RateVerdict,
} from './rate-limits.js';
export { connectRedis, createJobsClient } from './redis-client.js';
export { isRedisAway } from './redis-errors.js';
export { redisOptions, type RedisOptions } from './redis-options.js';
export {
  createSessionTokens,
  ephemeralKey,
  hashSessionToken,
  isSessionToken,
  tokenInKey,
  type IssuedToken,
  type SessionTicket,
  type SessionTokens,
  type TokenOutcome,
} from './session-tokens.js';
export { subscribe, type Subscriber } from './subscriber.js';
export type { Redis } from './topology.js';
export { createResumePaths, type ResumableId, type ResumePaths } from './resume-paths.js';
