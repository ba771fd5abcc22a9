import type { RequestListener } from 'node:http';
import { earlyAnswer, Problem, wholeAnswer } from '@parley/protocol';
import { isRealtimePath } from '@parley/realtime-gateway';
import {
  createPublicServer,
  type Logger,
  type PublicServer,
  type Served,
} from '@parley/service-kit';

/**
 * The only public port: plain requests go to the api, upgrades to the gateway. Until they are open,
 * it responds that they are not ready.
 */
export type Front = { server: PublicServer; open(api: Served, gateway: Served): void };

export function createFront(logger: Logger): Front {
  let handle: RequestListener = answerStarting;
  const server = createPublicServer({
    handle: (request, response) => handle(request, response),
    answerFor: earlyAnswer,
    logger,
  });
  return {
    server,
    open(api, gateway) {
      handle = (request, response) =>
        (isRealtimePath(request.url) ? gateway : api).handle(request, response);
      if (gateway.upgrade) server.on('upgrade', gateway.upgrade);
    },
  };
}

const answerStarting: RequestListener = (_request, response) => {
  const starting = new Problem('service-unavailable', 'Parley is starting.', {
    headers: { 'Retry-After': '2' },
  });
  const { status, headers, body } = wholeAnswer(starting);
  response.writeHead(status, headers).end(body);
};
