import express, { type Express } from 'express';
import type { ServerListings, ToolTrials } from '@parley/agent-runtime';
import type { ApprovalDesk } from '@parley/approvals';
import type { Database, SecretBox } from '@parley/database';
import type { Egress } from '@parley/egress';
import { createExaminer, type FileStore } from '@parley/file-store';
import { quotaGuard, type QuotaGuard } from '@parley/issuing';
import {
  asyncApiDocument,
  openApiDocument,
  organizationOperations,
  Problem,
  quotaDefaults,
  type QuotaName,
  type QuotaSettings,
} from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import {
  noTracing,
  type ClientAddress,
  type ConfigOf,
  type HttpMetrics,
  type Logger,
  type QuotaMetrics,
  type Tracing,
} from '@parley/service-kit';
import type {
  ChangedKeys,
  FailedAttempts,
  LiveSessions,
  SessionTokens,
} from '@parley/session-store';
import { consoleRoutes } from './accounts/console-routes.js';
import type { Console } from './accounts/open-console.js';
import { Oidc } from './accounts/oidc.js';
import { oidcRouter } from './accounts/oidc-router.js';
import { ownOrigin } from './accounts/own-requests.js';
import { memberAuthenticator } from './accounts/signed-in.js';
import { agentOperations } from './agents/agent-operations.js';
import { toolTrialOperations } from './agents/try-tool.js';
import { apiKeyOperations } from './api-keys/api-key-operations.js';
import { approvalOperations } from './approvals/approval-operations.js';
import { auditOperations } from './audit/audit-operations.js';
import { connectionOperations } from './connections/connection-operations.js';
import { connectionTestOperations } from './connections/test-connection.js';
import { consoleSite } from './console/console-site.js';
import { conversationOperations } from './conversations/conversation-operations.js';
import type { EventDesk } from './events/event-desk.js';
import { eventOperations } from './events/event-operations.js';
import { docsRouter, pagePolicy } from './docs/docs-router.js';
import { home } from './docs/home-page.js';
import { fileOperations } from './files/file-operations.js';
import { authenticator, headers, keyOrCookie } from './http/authenticate.js';
import { bodyDeadline, bodyMs } from './http/body-deadline.js';
import type { Handlers } from './http/call.js';
import { contain } from './http/contain.js';
import { inOne } from './http/in-one.js';
import { noStore } from './http/no-store.js';
import { observe } from './http/observe.js';
import { operationRoutes } from './http/operation-routes.js';
import { refuse } from './http/refuse.js';
import { routes, type Route } from './http/routes.js';
import { securityHeaders } from './http/security-headers.js';
import { socketRoute } from './http/socket-route.js';
import { memberOperations } from './members/member-operations.js';
import type { ApiMetrics, RateLimits } from './metrics.js';
import { bearerCredentials } from './openai-door/credentials.js';
import { doorRouter } from './openai-door/door-router.js';
import type { QuestionDesk } from './questions/question-desk.js';
import { questionOperations } from './questions/question-operations.js';
import { sessionEnder } from './sessions/end-sessions.js';
import { liveSessionOperations } from './sessions/live-session-operations.js';
import { webhookOperations } from './webhooks/webhook-operations.js';
import { sessionOperations, type SessionSettings } from './sessions/session-operations.js';
import { taskOperations } from './tasks/task-operations.js';
import { usageOperations } from './usage/usage-operations.js';
import { widgetRouter } from './widget/widget-router.js';

export type ApiOptions = {
  database: Database;
  secretBox: SecretBox;
  tokens: Pick<SessionTokens, 'issueWithin'>;
  approvals: Pick<ApprovalDesk, 'conclude' | 'expireDue'>;
  liveSessions: Pick<LiveSessions, 'list' | 'revoke' | 'isSilent'>;
  questions: QuestionDesk;
  trials: ToolTrials & ServerListings;
  events: Pick<EventDesk, 'listen'>;
  files: FileStore;
  /** Guards the addresses that an organization names. */
  egress: Pick<Egress, 'check' | 'lookup' | 'fetch'>;
  changedKeys: ChangedKeys;
  rateLimits: RateLimits;
  attempts: FailedAttempts;
  console: Console;
  clientAddress: ClientAddress;
  /** For agents without a connection of their own. */
  defaultConnection: ProviderConnection | undefined;
  logger: Logger;
  httpMetrics: HttpMetrics;
  metrics: ApiMetrics;
  quotaMetrics: QuotaMetrics<QuotaName>;
  tracing?: Tracing;
  settings: SessionSettings &
    QuotaSettings &
    Pick<
      ConfigOf<'api'>,
      | 'PUBLIC_URL'
      | 'OIDC_ISSUER'
      | 'OIDC_CLIENT_ID'
      | 'OIDC_CLIENT_SECRET'
      | 'OIDC_ALLOWED_DOMAINS'
      | 'MAX_BODY_BYTES'
      | 'TEMPORARY_FILE_MAX_BYTES'
      | 'TEMPORARY_FILE_TTL_HOURS'
      | 'OPENAI_DOOR'
      | 'CONSOLE_FRAME_ANCESTORS'
    >;
};

export const apiVersion = '0.2.0';

export function createApi(given: ApiOptions): Express {
  const { database, logger, settings, ...options } = given;
  const contract = openApiDocument(apiVersion);
  const contracts = {
    '/api/v1/openapi.json': JSON.stringify(contract),
    '/api/v1/asyncapi.json': JSON.stringify(asyncApiDocument(apiVersion)),
  };

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('case sensitive routing', true).set('query parser', false);
  const { httpMetrics: metrics, tracing = noTracing } = options;
  const rateLimits = options.metrics.measured(options.rateLimits);
  const oidc = oidcOf(given);
  app.use(
    inOne(
      observe({ logger, metrics, tracing }),
      contain(logger),
      bodyDeadline(bodyMs),
      routes(routesOf(given, { rateLimits, oidc })),
      securityHeaders(),
    ),
  );
  for (const [path, text] of Object.entries(contracts))
    app.get(path, (_request, response) => void response.type('json').send(text));
  app.use('/docs', docsRouter(apiVersion, contract));
  app.use(widgetRouter());
  app.get('/', pagePolicy, home(apiVersion));
  app.use(noStore);
  if (settings.OPENAI_DOOR === true)
    app.use(
      '/v1',
      doorRouter({
        ports: { database, logger, settings, quotas: quotasOf(given), ...options },
        authenticate: authenticator({ database, ...options }, bearerCredentials),
        rateLimits,
        maxBodyBytes: settings.MAX_BODY_BYTES,
      }),
    );
  if (oidc)
    app.use(
      '/console/oidc',
      oidcRouter({
        ...options,
        oidc,
        database,
        logger,
        sessions: options.console.sessions,
        isSecure: settings.PUBLIC_URL?.startsWith('https:') === true,
      }),
    );
  // After the pages of OpenID Connect: it answers every other address below.
  app.use('/console', consoleSite(settings));
  app.use(() => {
    throw new Problem('route-not-found', 'No operation has this path. See /api/v1/openapi.json.');
  });
  app.use(refuse(logger));
  return app;
}

/** Every operation of the API, and how people come in and go. */
function routesOf(
  given: ApiOptions,
  { rateLimits, oidc }: { rateLimits: RateLimits; oidc: Oidc | undefined },
): Route[] {
  const { database, secretBox, settings, ...options } = given;
  const { MAX_BODY_BYTES: maxBodyBytes } = settings;
  const people = {
    database,
    ...options.console,
    requireOwnOrigin: ownOrigin(settings.PUBLIC_URL),
  };
  return [
    socketRoute(),
    ...consoleRoutes({
      ...options,
      ...people,
      oidc,
      maxBodyBytes,
      requests: { limit: rateLimits.requests, required: false },
    }),
    ...operationRoutes({
      operations: organizationOperations,
      handlers: handlersOf(given),
      authenticate: keyOrCookie(
        authenticator({ database, ...options }),
        memberAuthenticator(people, headers),
      ),
      database,
      secretBox,
      rateLimits,
      maxBodyBytes,
      maxFileBytes: settings.TEMPORARY_FILE_MAX_BYTES,
    }),
  ];
}

/** Undefined: nobody signs in through a provider. */
function oidcOf({ settings, secretBox }: ApiOptions): Oidc | undefined {
  const { PUBLIC_URL: publicUrl, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = settings;
  if (publicUrl === undefined || issuer === undefined || clientId === undefined) return undefined;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_ALLOWED_DOMAINS: allowedDomains } = settings;
  return new Oidc({ publicUrl, issuer, clientId, clientSecret, allowedDomains }, secretBox);
}

function quotasOf({ settings, quotaMetrics: metrics }: ApiOptions): QuotaGuard {
  return quotaGuard({ defaults: quotaDefaults(settings), metrics });
}

function handlersOf(given: ApiOptions): Handlers {
  const { database, secretBox, logger, settings, ...options } = given;
  const endSessions = sessionEnder(options.liveSessions, logger);
  const quotas = quotasOf(given);
  const defaultModel = settings.REALTIME_MODEL;
  return {
    ...agentOperations({ database, secretBox, defaultModel, endSessions, quotas }),
    ...toolTrialOperations({ database, trials: options.trials }),
    ...connectionOperations({ database, secretBox }),
    ...connectionTestOperations({ database, secretBox, defaultModel, ...options }),
    ...conversationOperations({ database, endSessions }),
    ...usageOperations({ database, quotas: quotaDefaults(settings) }),
    ...webhookOperations({ database, secretBox, egress: options.egress }),
    ...sessionOperations({ database, settings, logger, quotas, ...options }),
    ...questionOperations({ database, quotas, ...options }),
    ...eventOperations(options),
    ...taskOperations(database),
    ...liveSessionOperations({ database, ...options }),
    ...approvalOperations({ database, logger, ...options }),
    ...auditOperations(database),
    ...apiKeyOperations({ database, ...options }),
    ...memberOperations(database),
    ...fileOperations({
      database,
      logger,
      files: options.files,
      examiner: createExaminer(),
      quotas,
      ttlHours: settings.TEMPORARY_FILE_TTL_HOURS,
    }),
  };
}
