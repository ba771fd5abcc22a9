import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from '@parley/service-kit';
import { isAgentGone, isDatabaseUnavailable } from '@parley/database';
import { StorageUnavailable } from '@parley/file-store';
import { notFound, Problem, RealtimeError } from '@parley/protocol';
import { databaseUnavailable, storageUnavailable } from './unavailable.js';

/** Writes an error in the format that the callers expect. */
export type Present = (response: Response, error: Problem | RealtimeError) => void;

/**
 * The only place that turns a failure into a response. Anything outside the catalogue is a bug:
 * logged here, "internal" to the caller.
 */
export function refuse(logger: Logger, present: Present = sendRefusal): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      // If the response is complete, for example to a body that arrived too slowly, there is
      // nothing to abort.
      const whole = response.writableEnded;
      const details = { err: error, requestId: requestIdOf(response) };
      logger[whole ? 'warn' : 'error'](details, 'failed after the answer began');
      if (!whole) request.socket.destroy();
      return;
    }
    const refusal = error instanceof RealtimeError ? error : toProblem(error);
    noteRefusal(logger, { error, refusal, requestId: requestIdOf(response) });
    present(response, refusal);
  };
}

export function noteRefusal(
  logger: Logger,
  { error, refusal, requestId }: { error: unknown; refusal: Error; requestId: unknown },
): void {
  if (!(refusal instanceof Problem)) return;
  if (refusal.code === 'internal') logger.error({ err: error, requestId }, 'request failed');
  if (refusal.code === 'service-unavailable')
    logger.warn({ err: refusal, requestId }, 'store unavailable');
}

const sendRefusal: Present = (response, error) => {
  if (error instanceof RealtimeError) {
    response.status(400).json(error.body());
    return;
  }
  sendProblem(response, error);
};

export function sendProblem(response: Response, problem: Problem): void {
  response.status(problem.status).set(problem.headers).type('application/problem+json');
  response.send(JSON.stringify(problem.body()));
}

/** Maps the errors of body-parser and express by their `type` or `status`. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isAgentGone(error)) return notFound();
  if (isDatabaseUnavailable(error)) return databaseUnavailable(error);
  if (error instanceof StorageUnavailable) return storageUnavailable(error);
  const { type, status } = error as { type?: unknown; status?: unknown };
  if (type === 'entity.too.large') return new Problem('body-too-large', 'The body is too large.');
  if (type === 'encoding.unsupported')
    return new Problem(
      'media-type-unsupported',
      'The Content-Encoding is not supported: use gzip, deflate, br or none.',
    );
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new Problem('request-malformed', 'The request cannot be read.');
  return internal();
}

export function internal(): Problem {
  return new Problem(
    'internal',
    'Something went wrong on our side. Try again, or report the request id.',
  );
}

export function requestIdOf(response: Response): unknown {
  return response.getHeader('X-Request-Id');
}
