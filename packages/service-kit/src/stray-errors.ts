import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';

/**
 * One request or one session among many, told of an error that was thrown where nobody catches it. It ends itself and says true; once it is
 * over it says false, and the error is the process's.
 */
export type Bearer = (error: unknown) => boolean;

const bearers = new AsyncLocalStorage<Bearer>();

/** Whatever the work starts, now or later, is at the cost of its bearer. */
export function atTheCostOf(bearer: Bearer, work: () => void): void {
  bearers.run(bearer, () => {
    try {
      work();
    } catch (error) {
      if (!bearer(error)) throw error;
    }
  });
}

/** Listeners are called in the context of what makes the emitter speak, such as the parser of a connection. Those of this one are called in the bearer's. */
export function emitAtTheCostOf(bearer: Bearer, emitter: EventEmitter): void {
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (...event: Parameters<typeof emit>): boolean => {
    let heard = true;
    atTheCostOf(bearer, () => (heard = emit(...event)));
    return heard;
  };
}

/** A listener whose throw is its bearer's. It carries no context along, which for each frame of a relay would cost too much. */
export function borneBy<Event extends unknown[]>(
  bearer: Bearer,
  listen: (...event: Event) => void,
) {
  return (...event: Event): void => {
    try {
      listen(...event);
    } catch (error) {
      if (!bearer(error)) throw error;
    }
  };
}

/** Whether somebody has borne an error that nobody caught. */
export function isBorne(error: unknown): boolean {
  return bearers.getStore()?.(error) ?? false;
}
