import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';

/**
 * One request or session among many, which gets errors that were thrown where nobody catches them.
 * It ends itself and returns true; once it is over it returns false, and the error is the
 * process's.
 */
export type ErrorOwner = (error: unknown) => boolean;

const owners = new AsyncLocalStorage<ErrorOwner>();

/** Attributes everything that the work starts, now or later, to the owner. */
export function attributeTo(owner: ErrorOwner, work: () => void): void {
  owners.run(owner, guardedBy(owner, work));
}

/**
 * Listeners run in the context of whatever makes the emitter emit, such as a connection's parser.
 * This makes them run in the owner's.
 */
export function emitAttributedTo(owner: ErrorOwner, emitter: EventEmitter): void {
  const emit = emitter.emit.bind(emitter);
  const speak = (...event: Parameters<typeof emit>): boolean => {
    try {
      return emit(...event);
    } catch (error) {
      if (!owner(error)) throw error;
      return true;
    }
  };
  // Most events of a request follow from what it does itself.
  emitter.emit = (...event) =>
    owners.getStore() === owner ? speak(...event) : owners.run(owner, speak, ...event);
}

/**
 * Wraps a listener so that its owner gets what it throws. It carries no async context, which would
 * be too expensive per frame of a relay.
 */
export function guardedBy<Event extends unknown[]>(
  owner: ErrorOwner,
  listen: (...event: Event) => void,
) {
  return (...event: Event): void => {
    try {
      listen(...event);
    } catch (error) {
      if (!owner(error)) throw error;
    }
  };
}

/** Whether an owner took on an error that nobody caught. */
export function isTakenOn(error: unknown): boolean {
  return owners.getStore()?.(error) ?? false;
}
