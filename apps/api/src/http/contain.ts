import type { RequestHandler } from 'express';
import { attributeTo, emitAttributedTo, type ErrorOwner, type Logger } from '@parley/service-kit';
import { internal, requestIdOf, sendProblem } from './refuse.js';

/**
 * An error thrown in a callback of a request, where no handler catches it, ends that request and no
 * other.
 */
export function contain(logger: Logger): RequestHandler {
  return (request, response, next) => {
    let over = false;
    // The last listeners still belong to the request.
    response.once('close', () => setImmediate(() => (over = true)));
    const takeError: ErrorOwner = (err) => {
      if (over) return false;
      logger.error({ err, requestId: requestIdOf(response) }, 'request failed in a callback');
      if (!response.headersSent) {
        // The rest of the request is not read: its connection ends with the response.
        response.once('finish', () => request.socket.destroySoon());
        sendProblem(response.set('Connection', 'close'), internal());
      } else if (!response.writableEnded) request.socket.destroy();
      return true;
    };
    for (const emitter of [request, response]) emitAttributedTo(takeError, emitter);
    response.on('error', takeError);
    attributeTo(takeError, next);
  };
}
