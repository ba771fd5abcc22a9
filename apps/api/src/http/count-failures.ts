import { clientAddressBehind, fromSetting, type ConfigOf } from '@parley/service-kit';
import { createFailedAttempts, type Redis } from '@parley/session-store';
import type { AuthenticationPorts } from './authenticate.js';

type Settings = Pick<ConfigOf<'api'>, 'FAILED_ATTEMPTS_PER_MINUTE' | 'TRUSTED_PROXIES'>;

/** Counts requests with wrong keys by client address, across all instances that share a Redis. */
export function countFailedRequests(
  redis: Redis,
  { FAILED_ATTEMPTS_PER_MINUTE: perMinute, TRUSTED_PROXIES }: Settings,
): Pick<AuthenticationPorts, 'attempts' | 'clientAddress'> {
  return {
    attempts: createFailedAttempts(redis, { name: 'failures', perMinute }),
    clientAddress: fromSetting('TRUSTED_PROXIES', () => clientAddressBehind(TRUSTED_PROXIES)),
  };
}
