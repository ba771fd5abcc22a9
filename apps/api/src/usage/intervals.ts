import { maxUsageIntervals, Problem, type UsageIntervalName } from '@parley/protocol';

const hourMs = 3_600_000;

/** UTC hours and days all have the same length. */
const lengths: Record<UsageIntervalName, { ms: number; before: number }> = {
  hour: { ms: hourMs, before: 24 },
  day: { ms: 24 * hourMs, before: 30 },
};

export type Intervals = { starts: Date[]; end: Date };

export type AskedRange = {
  from: string | undefined;
  to: string | undefined;
  interval: UsageIntervalName;
};

/** All intervals that a range touches, each as a whole. */
export function intervalsOf({ from, to, interval }: AskedRange, now: Date): Intervals {
  const { ms, before } = lengths[interval];
  const until = to === undefined ? now.getTime() : Date.parse(to);
  const since = from === undefined ? until - before * ms : Date.parse(from);
  if (until <= since) throw refused('To', 'must be after From');
  const first = Math.floor(since / ms);
  const count = Math.ceil(until / ms) - first;
  if (count > maxUsageIntervals)
    throw refused(
      'From',
      `leads to ${count} intervals of one ${interval}: ask for ${maxUsageIntervals} at most`,
    );
  return {
    starts: Array.from({ length: count }, (_, index) => new Date((first + index) * ms)),
    end: new Date((first + count) * ms),
  };
}

function refused(path: string, message: string): Problem {
  return new Problem('query-invalid', 'The range is invalid.', {
    errors: [{ path, message }],
  });
}
