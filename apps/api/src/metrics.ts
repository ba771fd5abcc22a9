import { Counter, type Registry } from 'prom-client';
import type { RateLimit, RateVerdict } from '@parley/session-store';

export type RateLimits = { requests: RateLimit; sessions: RateLimit };

export type ApiMetrics = {
  /** A session was created. */
  issued(): void;
  /** The same limits; what they say is counted. */
  measured(limits: RateLimits): RateLimits;
};

const verdicts = ['allowed', 'limited', 'unknown'] as const satisfies RateVerdict['kind'][];

export function apiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const issued = new Counter({
    name: 'parley_realtime_sessions_issued_total',
    help: 'Sessions that were created over REST, whether they were opened or not.',
    registers,
  });
  const checks = new Counter({
    name: 'parley_rate_limit_checks_total',
    help: 'Requests that were held against a rate limit, by limit and verdict; unknown means that Redis did not answer.',
    labelNames: ['limit', 'verdict'],
    registers,
  });
  const count = (limit: keyof RateLimits, counted: RateLimit): RateLimit => {
    for (const verdict of verdicts) checks.inc({ limit, verdict }, 0);
    return {
      async consume(keyId) {
        const verdict = await counted.consume(keyId);
        checks.inc({ limit, verdict: verdict.kind });
        return verdict;
      },
    };
  };
  return {
    issued: () => issued.inc(),
    measured: ({ requests, sessions }) => ({
      requests: count('requests', requests),
      sessions: count('sessions', sessions),
    }),
  };
}
