/**
 * How a process spends the time from SIGTERM to its end, in this order. This is the only source of
 * shutdown deadlines: the grace periods of the chart (helm/parley/templates/_drain.tpl) and of
 * Compose follow this sum, and tests compare them.
 *
 *   lag      It still accepts requests, while load balancers notice: DRAIN_LAG_SECONDS.
 *   work     Sessions, requests and jobs in progress may finish: DRAIN_TIMEOUT_SECONDS.
 *   tools    The tools of ended sessions, which are already aborted, report their end.
 *   journal  What was said is written to the database.
 *   reserve  The closing handshakes of the last sessions, servers and stores.
 */
export type DrainBudget = {
  readonly lagMs: number;
  readonly workMs: number;
  readonly toolsMs: number;
  readonly journalMs: number;
  readonly reserveMs: number;
  /**
   * The hard deadline of the whole shutdown: a supervisor must wait at least this long before it
   * kills the process.
   */
  readonly totalMs: number;
};

type DrainSettings = {
  readonly DRAIN_LAG_SECONDS?: number;
  readonly DRAIN_TIMEOUT_SECONDS?: number;
};

const seconds = { tools: 5, journal: 5, reserve: 5 } as const;

/** setTimeout turns a longer delay into 1 ms. */
const longestMs = 2 ** 31 - 1;

/**
 * Without settings, it is one person's process: it says goodbye to open sessions and does not wait.
 */
export function drainBudget(settings: DrainSettings): DrainBudget {
  const { DRAIN_LAG_SECONDS: lag = 0, DRAIN_TIMEOUT_SECONDS: work = 1 } = settings;
  const { tools, journal, reserve } = seconds;
  return {
    lagMs: lag * 1000,
    workMs: work * 1000,
    toolsMs: tools * 1000,
    journalMs: journal * 1000,
    reserveMs: reserve * 1000,
    totalMs: Math.min((lag + work + tools + journal + reserve) * 1000, longestMs),
  };
}
