import { headerValue, maxRetries, timeoutMs, wrongArgument } from './argument-checks.js';
import { bindMethods } from './bind-methods.js';
import type { CallOptions } from './call-options.js';
import type {
  Agents,
  ApiKeys,
  Approvals,
  Audit,
  Connections,
  Conversations,
  Events,
  Files,
  Groups,
  Members,
  Questions,
  RealtimeSessions,
  Tasks,
  Usage,
  Webhooks,
} from './groups.js';
import { Transport } from './transport.js';

/** Address and credentials, and the defaults of every call. */
export type ParleyOptions = CallOptions & {
  /** The address of the service, such as `https://parley.example.com`. */
  readonly baseUrl: string | URL;
  /** The API key of your integration. Keep it on your servers. */
  readonly apiKey: string;
  /** The organization that every call applies to. */
  readonly organizationId: string;
  /** Sends the requests instead of the global `fetch`: for proxies, tracing and tests. */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Allows use in a page, whose visitors can then read the key. Meant for tools that ask visitors
   * for their own key.
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
};

/**
 * The REST API of a Parley deployment, for backends. Calls that fail temporarily are retried
 * without executing anything twice.
 *
 * ```js
 * const parley = new Parley({ baseUrl, apiKey, organizationId });
 * const { webSocketPath } = await parley.realtimeSessions.create(agentId);
 * ```
 */
export class Parley implements Groups {
  /** Agents: their instructions, voices and tools. */
  readonly agents: Agents;
  /** Questions to agents, in text. */
  readonly questions: Questions;
  /** Creates realtime sessions for your users’ clients, and lists the open ones. */
  readonly realtimeSessions: RealtimeSessions;
  /** Tool calls that wait for approval. */
  readonly approvals: Approvals;
  /** What was said, and what it cost. */
  readonly conversations: Conversations;
  /** Files whose text agents can read. */
  readonly files: Files;
  /** Tasks, kept in sync with your own systems. */
  readonly tasks: Tasks;
  /** Connections to model providers. */
  readonly connections: Connections;
  /** Webhooks: notifications of events. */
  readonly webhooks: Webhooks;
  readonly apiKeys: ApiKeys;
  readonly members: Members;
  /** Live events. */
  readonly events: Events;
  /** Who changed what, and when. */
  readonly audit: Audit;
  /** Usage over time, and the state of the quotas. */
  readonly usage: Usage;

  /** Throws a `ParleyError` if the options are invalid, or if it runs in a page. */
  constructor(options: ParleyOptions) {
    const client = { transport: transportTo(options), defaults: defaultsIn(options) };
    this.agents = bindMethods('agents', client);
    this.questions = bindMethods('questions', client);
    this.realtimeSessions = bindMethods('realtimeSessions', client);
    this.approvals = bindMethods('approvals', client);
    this.conversations = bindMethods('conversations', client);
    this.files = bindMethods('files', client);
    this.tasks = bindMethods('tasks', client);
    this.connections = bindMethods('connections', client);
    this.webhooks = bindMethods('webhooks', client);
    this.apiKeys = bindMethods('apiKeys', client);
    this.members = bindMethods('members', client);
    this.events = bindMethods('events', client);
    this.audit = bindMethods('audit', client);
    this.usage = bindMethods('usage', client);
  }
}

function transportTo(options: ParleyOptions): Transport {
  if (isPage() && options.dangerouslyAllowBrowser !== true)
    throw wrongArgument(
      'Visitors of this page could read the API key. Call your own backend, and use @parley/client/server there.',
    );
  return new Transport({
    baseUrl: serviceAt(options.baseUrl),
    apiKey: headerValue('apiKey', options.apiKey),
    organizationId: headerValue('organizationId', options.organizationId),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  });
}

/** Validated here, so that a mistake shows up when the process starts. */
function defaultsIn({ signal, ...options }: ParleyOptions): CallOptions {
  return {
    signal,
    ...(options.timeoutMs !== undefined && { timeoutMs: timeoutMs(options.timeoutMs) }),
    ...(options.maxRetries !== undefined && { maxRetries: maxRetries(options.maxRetries) }),
  };
}

function serviceAt(baseUrl: unknown): string {
  const url = urlIn(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    throw wrongArgument(
      'baseUrl must be the address of the service, such as https://parley.example.com.',
    );
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrongArgument('baseUrl must not contain credentials, a query or a fragment.');
  const path = url.pathname.replace(/\/$/, '');
  if (/\/(?:api|v1)$/.test(path))
    throw wrongArgument('baseUrl must be the address of the service without /api/v1.');
  return `${url.origin}${path}`;
}

function urlIn(value: unknown): URL | undefined {
  try {
    return new URL(String(value));
  } catch {
    return undefined;
  }
}

function isPage(): boolean {
  const { window, document } = globalThis as { window?: unknown; document?: unknown };
  return window !== undefined && document !== undefined;
}
