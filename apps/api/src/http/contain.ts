import type { RequestHandler } from 'express';
import { atTheCostOf, emitAtTheCostOf, type Bearer, type Logger } from '@parley/service-kit';
import { internal, requestIdOf, sendProblem } from './refuse.js';

/** An error that is thrown in a callback of a request, where no handler catches it, costs that request and nobody else's. */
export function contain(logger: Logger): RequestHandler {
  return (request, response, next) => {
    let over = false;
    // Its last listeners are the request's own still.
    response.once('close', () => setImmediate(() => (over = true)));
    const bear: Bearer = (err) => {
      if (over) return false;
      logger.error({ err, requestId: requestIdOf(response) }, 'request failed in a callback');
      if (!response.headersSent) {
        // What is left of the request is not read: its connection ends with the answer.
        response.once('finish', () => request.socket.destroySoon());
        sendProblem(response.set('Connection', 'close'), internal());
      } else if (!response.writableEnded) request.socket.destroy();
      return true;
    };
    for (const emitter of [request, response]) emitAtTheCostOf(bear, emitter);
    response.on('error', bear);
    atTheCostOf(bear, next);
  };
}
