import type { RequestHandler, Response } from 'express';
import { Problem } from '@parley/protocol';
import { hasBody } from './json-body.js';
import { sendProblem } from './refuse.js';

/**
 * The time for the body of a request to arrive. A body that trickles in is cut off, so that slow
 * senders cannot occupy all connections.
 */
export const bodyMs = 60_000;

export function bodyDeadline(milliseconds: number): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) {
      next();
      return;
    }
    const timer = setTimeout(() => {
      if (request.complete) return;
      if (response.headersSent) request.socket.destroy();
      else {
        response.once('finish', () => request.socket.destroySoon());
        const detail = `The body did not arrive within ${milliseconds / 1000} s.`;
        sendProblem(response.set('Connection', 'close'), new Problem('request-timeout', detail));
      }
    }, milliseconds);
    response.locals['bodyDeadline'] = timer;
    response.once('close', () => {
      if (request.complete) clearTimeout(timer);
    });
    request.once('close', () => clearTimeout(timer));
    next();
  };
}

/** A file on a slow connection may take as long as the server's requestTimeout. */
export function liftBodyDeadline(response: Response): void {
  clearTimeout(response.locals['bodyDeadline'] as NodeJS.Timeout | undefined);
}
