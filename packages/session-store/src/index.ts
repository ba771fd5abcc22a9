export {
  createRateLimit,
  rateWindowSeconds,
  type RateLimit,
  type RateVerdict,
} from './rate-limits.js';
export { connectRedis, RedisUnreachable, type RedisClientOptions } from './redis-client.js';
