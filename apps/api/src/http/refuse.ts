import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from '@parley/service-kit';
import { isAgentGone, isDatabaseUnavailable } from '@parley/database';
import { StorageUnavailable } from '@parley/file-store';
import { notFound, Problem, RealtimeError } from '@parley/protocol';
import { databaseUnavailable, storageUnavailable } from './unavailable.js';

/** Writes a refusal in the shape that its callers read. */
export type Present = (response: Response, error: Problem | RealtimeError) => void;

/** The one place where a failure becomes an answer. What is not in the catalogue is a bug: logged here, "internal" to the caller. */
export function refuse(logger: Logger, present: Present = sendRefusal): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (response.headersSent) {
      // Behind an answer that is whole, of a body that came too slowly for example, nothing is left to break off.
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

/** What body-parser and express throw, by the `type` or `status` that they set. */
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
