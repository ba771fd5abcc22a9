import { useEffect, useState } from 'react';
import { serviceNow } from '../api/service-clock.js';
import { exactTime, relativeTime } from './words.js';

/** The relative time, with the exact time on hover and for screen readers. */
export function Time({
  at,
  absent = '–',
}: {
  readonly at: string | null | undefined;
  readonly absent?: string;
}) {
  const now = useNow(30_000);
  if (at === null || at === undefined) return absent;
  const date = new Date(at);
  return (
    <time dateTime={at} title={exactTime(date)}>
      {relativeTime(date, now)}
    </time>
  );
}

/** The current time of the service, updated at this interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
