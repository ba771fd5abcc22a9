import { Turns, type TurnLimits } from './turns.js';

/** Timeout for opening a connection to PostgreSQL. */
export const connectionMs = 3000;
/** How long a transaction waits for its turn. */
const patience = { foreground: 5000, background: 15_000 } as const;

/** Runs a transaction when it is its caller's turn: an organization, or the service itself. */
export type Lane = <T>(caller: string, transaction: () => Promise<T>) => Promise<T>;

/**
 * Shares out the connections of one pool before anybody asks for one. No organization gets more than
 * three quarters of them, and background work gets at most half, so that a flood of work delays
 * neither other organizations nor short requests.
 */
export function connectionLanes(
  connections: number,
  {
    foreground: foregroundMs,
    background: backgroundMs,
  }: Record<keyof typeof patience, number> = patience,
): Record<keyof typeof patience, Lane> {
  const part = (share: number) => Math.max(1, Math.floor(connections * share));
  const waitingEach = Infinity;
  const foreground = laneOf({
    working: connections,
    workingEach: part(0.75),
    waitingEach,
    patienceMs: foregroundMs,
  });
  const background = laneOf({
    working: part(0.5),
    workingEach: part(0.375),
    waitingEach,
    patienceMs: backgroundMs,
  });
  return {
    foreground,
    // Its turn in the background is followed by one among all, so that both count together.
    background: (caller, transaction) => background(caller, () => foreground(caller, transaction)),
  };
}

function laneOf(limits: TurnLimits): Lane {
  const turns = new Turns(limits);
  return async (caller, transaction) => {
    const admitted = turns.enter(caller);
    // The pool's own message: to callers, the cause is the same.
    if (admitted !== true && !(await admitted))
      throw new Error('timeout exceeded when trying to connect');
    try {
      return await transaction();
    } finally {
      turns.leave(caller);
    }
  };
}
