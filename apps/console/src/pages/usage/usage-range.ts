import { timeOfDay } from '../../parts/words.js';

/** The time range of the page. Usage is counted in UTC hours and days. */
export type UsageRange = {
  readonly from: string;
  /** Undefined: until now. */
  readonly to: string | undefined;
  readonly interval: 'hour' | 'day';
};

export const spans = [
  { value: '1', label: 'Today (UTC)' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
] as const;

const dayMs = 86_400_000;
/** The service returns at most a thousand intervals at once. */
const longestInHours = 40 * dayMs;

type Asked = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: string | undefined;
};

/** Invalid days are ignored: the default is the last 30 days. */
export function rangeOf({ from, to, interval }: Asked, now: number): UsageRange {
  const ends = startOfDay(to);
  const end = ends === undefined ? now : Math.min(now, ends + dayMs);
  const asked = startOfDay(from);
  const start = asked !== undefined && asked < end ? asked : dayOf(end) - 29 * dayMs;
  const hours = interval === 'hour' && end - start <= longestInHours;
  return {
    from: new Date(start).toISOString(),
    to: end < now ? new Date(end).toISOString() : undefined,
    interval: hours ? 'hour' : 'day',
  };
}

/** The address's value for the last `days` days. */
export function spanFrom(days: number, now: number): string {
  return new Date(dayOf(now) - (days - 1) * dayMs).toISOString().slice(0, 10);
}

function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

function startOfDay(text: string | undefined): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text ?? '')) return undefined;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) ? undefined : at;
}

const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const hours = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  ...timeOfDay,
  timeZone: 'UTC',
});

export function intervalText(interval: 'hour' | 'day'): (at: string) => string {
  return (at) => (interval === 'day' ? days : hours).format(new Date(at));
}
