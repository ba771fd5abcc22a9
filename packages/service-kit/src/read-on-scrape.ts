import pTimeout from 'p-timeout';

/** How long a scrape waits for a store that does not respond. */
export const scrapePatienceMs = 2000;

/** For gauges that are read from a store whenever metrics are collected. */
export async function readOnScrape<Value>(
  read: () => Promise<Value>,
  show: (value: Value) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    show(await pTimeout(read(), { milliseconds: scrapePatienceMs }));
  } catch (error) {
    onError(error);
  }
}
