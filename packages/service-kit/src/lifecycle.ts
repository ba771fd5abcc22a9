import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { isTakenOn } from './stray-errors.js';
import { stopAll, type Stop } from './stop-all.js';

export type LifecycleOptions = {
  readonly logger: Logger;
  /** The hard deadline of the whole shutdown. */
  readonly timeoutMs: number;
  /**
   * The deadline after an uncaught error, when the process can no longer be trusted; 10 s, or
   * timeoutMs if less.
   */
  readonly fatalTimeoutMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
};

export type Lifecycle = {
  /** Call it once a component runs. The last one added stops first. */
  add(name: string, stop: () => Promise<void> | void): void;
  /** Stops everything once, however often it is called; never rejects. */
  shutdown(reason: string): Promise<void>;
  /**
   * Shuts down on SIGTERM, SIGINT and uncaught errors that no request or session takes on, then
   * calls exit: 0 if everything stopped cleanly, otherwise 1.
   */
  onSignals(source: EventEmitter, exit: (code: number) => void): void;
};

/** A terminal and npm may both forward the same Ctrl-C, which must not count as a second one. */
const echoMs = 250;

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { logger, timeoutMs, fatalTimeoutMs = Math.min(timeoutMs, 10_000) } = options;
  const { now = () => performance.now() } = options;
  const stops: Stop[] = [];
  let ending: Promise<void> | undefined;
  let clean = true;

  const endAll = async (reason: string): Promise<void> => {
    logger.info({ reason }, 'stopping');
    clean = (await stopAll({ stops, timeoutMs, logger })) && clean;
    logger.info({ clean }, 'stopped');
  };

  const shutdown = (reason: string): Promise<void> => (ending ??= endAll(reason));

  const onSignals = (source: EventEmitter, exit: (code: number) => void): void => {
    let firstAt = 0;
    let left = false;
    const leave = (code: number): void => {
      if (!left) exit(code);
      left = true;
    };
    const onSignal = (signal: string): void => {
      if (!ending) {
        firstAt = now();
        void shutdown(signal).then(() => leave(clean ? 0 : 1));
      } else if (signal !== 'SIGINT' || now() - firstAt > echoMs) {
        logger.warn({ signal }, 'second signal received, exiting immediately');
        leave(1);
      }
    };
    const onUncaught = (err: unknown): void => {
      if (isTakenOn(err)) return;
      clean = false;
      logger.fatal({ err }, 'uncaught error');
      const timer = setTimeout(() => leave(1), fatalTimeoutMs);
      void shutdown('uncaught error').then(() => {
        clearTimeout(timer);
        leave(1);
      });
    };
    source.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    source.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught);
  };

  return {
    add: (name, run) => void stops.push({ name, run }),
    shutdown,
    onSignals,
  };
}
