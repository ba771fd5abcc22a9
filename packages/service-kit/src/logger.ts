import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { describeError } from './describe-error.js';
import { redactLine } from './redaction.js';

export interface LoggerOptions {
  /** Stands in every line. */
  readonly app: string;
  readonly level: LevelWithSilent;
  /** Standard output if absent. */
  readonly destination?: DestinationStream;
}

/**
 * Writes JSON lines without secrets. Synchronously: a flush at the exit would overtake a write that is still under way, and the last lines
 * before an end are the ones that matter. Nothing is logged per frame.
 */
export function createLogger({ app, level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError, req: describeRequest },
      hooks: { streamWrite: redactLine },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

/** A request is its method and URL in a log: headers carry keys, and a socket is endless. */
function describeRequest(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  return {
    ...('method' in request ? { method: request.method } : {}),
    ...('url' in request ? { url: request.url } : {}),
  };
}
