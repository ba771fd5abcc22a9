import type { RequestListener, Server } from 'node:http';
import { Problem, wholeAnswer } from '@parley/protocol';
import type { Gateway } from '@parley/realtime-gateway';
import { createPublicServer, type Logger } from '@parley/service-kit';

/** The one public port: plain requests are the api's, upgrades the gateway's. Until they are there, it says so. */
export type Front = { server: Server; open(api: RequestListener, gateway: Gateway): void };

const realtimePath = /^\/(?:api\/v1\/Agent\/[^/]+|v1)\/realtime(\?|$)/;

export function createFront(logger: Logger): Front {
  let handle: RequestListener = answerStarting;
  const server = createPublicServer({
    server: { keepAliveTimeout: 70_000 },
    handle: (request, response) => handle(request, response),
    answerFor: (refusal, detail) => wholeAnswer(new Problem(refusal, detail)),
    logger,
  });
  return {
    server,
    open(api, gateway) {
      handle = (request, response) =>
        realtimePath.test(request.url ?? '')
          ? gateway.handleRequest(request, response)
          : api(request, response);
      server.on('upgrade', gateway.handleUpgrade);
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
