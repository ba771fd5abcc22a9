import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';

type Headers = readonly (readonly [name: string, value: string])[];

/** Helmet's headers for pages. They are the same for every response, so they are asked for once. */
export function securityHeaders(): RequestHandler {
  const headers = helmetHeaders({
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/**
 * For answers of the API, errors included. They are data: as a page, they may load nothing, and of
 * Helmet's other headers they need those that a browser heeds for data. They belong to their
 * caller: neither a proxy nor a browser may store them.
 */
export function dataHeaders(): Headers {
  const own = helmetHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    xFrameOptions: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return [...own, ['Cache-Control', 'no-store']];
}

function helmetHeaders(options: HelmetOptions): Headers {
  const headers: [string, string][] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  helmet(options)(request, response, () => undefined);
  return headers;
}
