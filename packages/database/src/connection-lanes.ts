import { Turns, type TurnLimits } from './turns.js';

/** How long a connection to PostgreSQL may take to be made. */
export const connectionMs = 3000;
/** How long a transaction waits for its turn. */
const patience = { foreground: 5000, background: 15_000 } as const;

/** Makes a transaction in the turn of its caller: an organization, or the service itself. */
export type Lane = <T>(caller: string, transaction: () => Promise<T>) => Promise<T>;

/**
 * The connections of one pool, shared out before anybody asks for one. No organization gets all of them, and what runs in the background gets
 * at most half, so that a flood of work keeps neither other organizations nor short requests waiting.
 */
export function connectionLanes(
  connections: number,
  { foreground, background }: Record<'foreground' | 'background', number> = patience,
): Record<'foreground' | 'background', Lane> {
  const part = (share: number) => Math.max(1, Math.floor(connections * share));
  const waitingEach = Infinity;
  return {
    foreground: laneOf({
      working: connections,
      workingEach: Math.ceil(connections * 0.75),
      waitingEach,
      patienceMs: foreground,
    }),
    background: laneOf({
      working: part(0.5),
      workingEach: part(0.375),
      waitingEach,
      patienceMs: background,
    }),
  };
}

function laneOf(limits: TurnLimits): Lane {
  const turns = new Turns(limits);
  return async (caller, transaction) => {
    const turn = await turns.run(caller, transaction);
    // In the words of the pool: for whoever asks, it is the same.
    if (!turn) throw new Error('timeout exceeded when trying to connect');
    return turn.done;
  };
}
