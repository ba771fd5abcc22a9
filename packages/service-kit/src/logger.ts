import { pino, type DestinationStream, type LevelWithSilent, type Logger } from 'pino';
import { describeError } from './describe-error.js';
import { redactLine } from './redaction.js';
import { standardOutput } from './standard-output.js';

export type LoggerOptions = {
  /** Part of every line. */
  readonly app: string;
  readonly level: LevelWithSilent;
  /** Standard output if absent. */
  readonly destination?: DestinationStream;
};

/** Writes JSON lines without secrets. Nothing is logged per frame. */
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
    destination ?? standardOutput(),
  );
}

/**
 * Logs only the method and URL of a request: its headers contain keys, and its socket is endless.
 */
function describeRequest(request: unknown): unknown {
  if (typeof request !== 'object' || request === null) return request;
  return {
    ...('method' in request ? { method: request.method } : {}),
    ...('url' in request ? { url: request.url } : {}),
  };
}
