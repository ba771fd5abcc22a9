/**
 * Numbers, times and amounts as text for people. Pure: the current time and time zone are passed
 * in.
 */

const counts = new Intl.NumberFormat('en');

export function countText(value: number): string {
  return counts.format(value);
}

/** "1 session", "2 sessions". */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${countText(value)} ${value === 1 ? one : many}`;
}

/** "51–100 of 2,318". */
export function rangeText(page: { total: number; offset: number; limit: number }): string {
  const { total, offset, limit } = page;
  if (offset >= total) return `0 of ${countText(total)}`;
  const last = Math.min(offset + limit, total);
  return `${countText(offset + 1)}–${countText(last)} of ${countText(total)}`;
}

const steps = [
  { unit: 'year', seconds: 31_536_000 },
  { unit: 'month', seconds: 2_592_000 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** "3 minutes ago", "in 2 days"; within a minute, "just now" or "in a moment". */
export function relativeTime(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1_000;
  const step = steps.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (!step) return seconds > 0 ? 'in a moment' : 'just now';
  return relative.format(Math.trunc(seconds / step.seconds), step.unit);
}

/** Hours from 00 to 23. With `hour12: false`, the first one would be 24. */
export const timeOfDay = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** In the user's time zone, with its name. */
export function exactTime(at: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat('en', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    ...timeOfDay,
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(at);
}

/** "4:59", "0:05", "1:02:03". */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const tail = String(rest).padStart(2, '0');
  if (hours === 0) return `${minutes}:${tail}`;
  return `${hours}:${String(minutes).padStart(2, '0')}:${tail}`;
}

/** "840 ms", "1.2 s", "3 min 20 s". */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const sizes = ['B', 'kB', 'MB', 'GB'] as const;

export function sizeText(bytes: number): string {
  const power = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1_000 ** power;
  return `${power === 0 ? amount : amount.toFixed(1)} ${sizes[power] ?? 'B'}`;
}
