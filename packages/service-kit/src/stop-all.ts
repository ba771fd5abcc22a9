import type { Logger } from 'pino';

export type Stop = {
  readonly name: string;
  readonly run: () => Promise<void> | void;
};

export type StopAllOptions = {
  readonly stops: Stop[];
  readonly timeoutMs: number;
  readonly logger: Logger;
};

const late = Symbol('late');

/**
 * Runs the stops from last to first, one after another, and returns whether all succeeded. If one
 * fails, it is logged, and the next one runs. After the deadline, the remaining ones are still
 * called, but not awaited.
 */
export async function stopAll({ stops, timeoutMs, logger }: StopAllOptions): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), timeoutMs);
  });
  let clean = true;
  for (let stop = stops.pop(); stop; stop = stops.pop()) {
    try {
      const work = stop.run();
      if (work === undefined || (await Promise.race([work, deadline])) !== late) continue;
      logger.error({ stop: stop.name }, 'shutdown step timed out');
    } catch (err) {
      logger.error({ err, stop: stop.name }, 'shutdown step failed');
    }
    clean = false;
  }
  clearTimeout(timer);
  return clean;
}
