import { createServer, type RequestListener, type Server } from 'node:http';
import type { Gateway } from '@parley/realtime-gateway';

/** The one public port: plain requests are the api's, upgrades the gateway's. Until they are there, it says so. */
export type Front = { server: Server; open(api: RequestListener, gateway: Gateway): void };

const realtimePath = /^\/(?:api\/v1\/Agent\/[^/]+|v1)\/realtime(\?|$)/;

export function createFront(): Front {
  let handle: RequestListener = answerStarting;
  const server = createServer({ keepAliveTimeout: 70_000 }, (request, response) =>
    handle(request, response),
  );
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
  response.writeHead(503, { 'Retry-After': '2', 'Content-Type': 'text/plain' });
  response.end('Parley is starting.\n');
};
