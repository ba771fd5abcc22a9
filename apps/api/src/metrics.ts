import { Counter, type Registry } from 'prom-client';
import type { RateLimit, RateVerdict } from '@parley/session-store';

export type RateLimits = { requests: RateLimit; sessions: RateLimit };

export type ApiMetrics = {
  /** A session was created. */
  issued(): void;
  /** A request had no valid key for what it asked, or came from an address that had failed too often. */
  notAuthenticated(outcome: (typeof notAuthenticated)[number]): void;
  /** The same limits; what they say is counted. */
  measured(limits: RateLimits): RateLimits;
};

const notAuthenticated = ['refused', 'throttled'] as const;
const verdicts = ['allowed', 'limited', 'unknown'] as const satisfies RateVerdict['kind'][];

export function apiMetrics(registry: Registry): ApiMetrics {
  const registers = [registry];
  const issued = new Counter({
    name: 'parley_realtime_sessions_issued_total',
    help: 'Sessions created over REST, whether they were opened or not.',
    registers,
  });
  const checks = new Counter({
    name: 'parley_rate_limit_checks_total',
    help: 'Requests checked against a rate limit, by limit and verdict; unknown means that Redis did not respond.',
    labelNames: ['limit', 'verdict'],
    registers,
  });
  const failures = new Counter({
    name: 'parley_authentication_failures_total',
    help: 'Requests with a wrong key, organization or scope: refused after a lookup, or throttled by address before it.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of notAuthenticated) failures.inc({ outcome }, 0);
  const count = (limit: RateLimit): RateLimit => {
    const told = (limit: string, { kind: verdict }: RateVerdict) => checks.inc({ limit, verdict });
    for (const verdict of verdicts) checks.inc({ limit: limit.name, verdict }, 0);
    return {
      ...limit,
      async consume(callerId) {
        const verdict = await limit.consume(callerId);
        told(limit.name, verdict);
        return verdict;
      },
      async consumeWith(next, callerId) {
        const both = await limit.consumeWith(next, callerId);
        for (const [n, verdict] of both.entries()) told(n === 0 ? limit.name : next.name, verdict);
        return both;
      },
    };
  };
  return {
    issued: () => issued.inc(),
    notAuthenticated: (outcome) => failures.inc({ outcome }),
    measured: ({ requests, sessions }) => ({
      requests: count(requests),
      sessions: count(sessions),
    }),
  };
}
