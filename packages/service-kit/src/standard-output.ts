import { pino, type DestinationStream } from 'pino';

/** How long a line waits for others. */
const patienceMs = 20;
const enoughBytes = 8192;
const warning = pino.levels.values['warn'] ?? 0;

let opened: DestinationStream | undefined;

/** One for all loggers of the process, so that their lines stay in order. */
export function standardOutput(): DestinationStream {
  return (opened ??= open());
}

/**
 * Writes lines together, because each write wakes up their reader. A warning or an error is written
 * at once, with all lines before it, and an exit writes what is left. Writes are synchronous:
 * otherwise the exit could overtake the last one.
 */
function open(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: true, minLength: enoughBytes });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    stream.flush();
  };
  process.once('exit', flush);
  const output = {
    /** Asks pino for the level of each line. */
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      stream.write(line);
      if (output.lastLevel >= warning) flush();
      else timer ??= setTimeout(flush, patienceMs).unref();
    },
  };
  return output;
}
