import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Database, SecretBox } from '@parley/database';
import { openApiDocument, Problem } from '@parley/protocol';
import type { HttpMetrics, Logger } from '@parley/service-kit';
import type { RateLimit } from '@parley/session-store';
import { agentOperations } from './agents/agent-operations.js';
import { connectionOperations } from './connections/connection-operations.js';
import { docsRouter } from './docs/docs-router.js';
import { observe } from './http/observe.js';
import { refuse } from './http/refuse.js';
import { operationRouter } from './http/router.js';

export type ApiOptions = {
  database: Database;
  secretBox: SecretBox;
  rateLimit: RateLimit;
  logger: Logger;
  httpMetrics: HttpMetrics;
  settings: { REALTIME_MODEL: string; MAX_BODY_BYTES: number; TRUST_PROXY_HOPS: number };
};

export const apiVersion = '0.1.0';

export function createApi({
  database,
  secretBox,
  logger,
  settings,
  ...options
}: ApiOptions): Express {
  const handlers = {
    ...agentOperations({ database, secretBox, defaultModel: settings.REALTIME_MODEL }),
    ...connectionOperations({ database, secretBox }),
  };
  const contract = JSON.stringify(openApiDocument(apiVersion));

  const app = express();
  app.disable('x-powered-by').disable('etag').set('trust proxy', settings.TRUST_PROXY_HOPS);
  app.set('case sensitive routing', true).set('query parser', false);
  app.use(observe({ logger, metrics: options.httpMetrics }));
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  app.get(
    '/api/v1/openapi.json',
    (_request, response) => void response.type('json').send(contract),
  );
  app.use('/docs', docsRouter());
  app.use(
    '/api/v1',
    operationRouter({
      handlers,
      database,
      rateLimit: options.rateLimit,
      maxBodyBytes: settings.MAX_BODY_BYTES,
    }),
  );
  app.use(() => {
    throw new Problem('route-not-found', 'No operation has this path. See /api/v1/openapi.json.');
  });
  app.use(refuse(logger));
  return app;
}
