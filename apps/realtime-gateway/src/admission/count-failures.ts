import { clientAddressBehind, fromSetting, type ConfigOf } from '@parley/service-kit';
import { createFailedAttempts, type Redis } from '@parley/session-store';
import type { GatewayOptions } from '../gateway.js';

type Settings = Pick<
  ConfigOf<'realtime-gateway'>,
  'FAILED_ATTEMPTS_PER_MINUTE' | 'TRUSTED_PROXIES'
>;

/** Counts upgrades with wrong tokens by client address, across all gateways that share a Redis. */
export function countFailedUpgrades(
  redis: Redis,
  { FAILED_ATTEMPTS_PER_MINUTE: perMinute, TRUSTED_PROXIES }: Settings,
): Pick<GatewayOptions, 'attempts' | 'clientAddress'> {
  return {
    attempts: createFailedAttempts(redis, { name: 'upgrades', perMinute }),
    clientAddress: fromSetting('TRUSTED_PROXIES', () => clientAddressBehind(TRUSTED_PROXIES)),
  };
}
