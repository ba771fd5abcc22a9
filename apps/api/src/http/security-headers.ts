import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Helmet's headers are the same for every response, so they are asked for once. */
export function securityHeaders(): RequestHandler {
  const headers = helmetHeaders();
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

function helmetHeaders(): readonly [string, string][] {
  const headers: [string, string][] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  const set = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  set(request, response, () => undefined);
  return headers;
}
