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
