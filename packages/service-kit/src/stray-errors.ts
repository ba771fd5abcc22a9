import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';

/**
 * One request or session among many, which gets errors that were thrown where nobody catches them.
 * It ends itself and returns true; once it is over it returns false, and the error is the
 * process's.
 */
export type Bearer = (error: unknown) => boolean;

const bearers = new AsyncLocalStorage<Bearer>();

/** Attributes everything that the work starts, now or later, to the bearer. */
export function atTheCostOf(bearer: Bearer, work: () => void): void {
  bearers.run(bearer, borneBy(bearer, work));
}

/**
 * Listeners run in the context of whatever makes the emitter emit, such as a connection's parser.
 * This makes them run in the bearer's.
 */
export function emitAtTheCostOf(bearer: Bearer, emitter: EventEmitter): void {
  const emit = emitter.emit.bind(emitter);
  const speak = (...event: Parameters<typeof emit>): boolean => {
    try {
      return emit(...event);
    } catch (error) {
      if (!bearer(error)) throw error;
      return true;
    }
  };
  // Most events of a request follow from what it does itself.
  emitter.emit = (...event) =>
    bearers.getStore() === bearer ? speak(...event) : bearers.run(bearer, speak, ...event);
}

/**
 * Wraps a listener so that its bearer gets what it throws. It carries no async context, which would
 * be too expensive per frame of a relay.
 */
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

/** Whether a bearer took on an error that nobody caught. */
export function isBorne(error: unknown): boolean {
  return bearers.getStore()?.(error) ?? false;
}
