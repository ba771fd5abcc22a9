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

/** Where the service is and who asks, with the defaults of every call. */
export type ParleyOptions = CallOptions & {
  /** The address of the service, such as `https://parley.example.com`. */
  readonly baseUrl: string | URL;
  /** The key of your integration. Keep it on your servers. */
  readonly apiKey: string;
  /** The organization that every call is about. */
  readonly organizationId: string;
  /** Sends the requests, instead of the global `fetch`: for proxies, traces and tests. */
  readonly fetch?: typeof fetch | undefined;
  /** Lets it run in a page, whose visitors can then read the key. For tools that ask the visitor for a key of their own. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
};

/**
 * The REST API of a Parley deployment, for backends. Calls that fail for a moment are repeated; what is asked for happens once.
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
  /** Sessions for the clients of your users; those that are open. */
  readonly realtimeSessions: RealtimeSessions;
  /** Tool calls that wait for a person. */
  readonly approvals: Approvals;
  /** What was said, and what it cost. */
  readonly conversations: Conversations;
  /** Files whose text agents are given. */
  readonly files: Files;
  /** Things to be done, in step with your own systems. */
  readonly tasks: Tasks;
  /** How model providers are reached. */
  readonly connections: Connections;
  /** Where you are told what happens. */
  readonly webhooks: Webhooks;
  readonly apiKeys: ApiKeys;
  readonly members: Members;
  /** What happens right now. */
  readonly events: Events;
  /** Who changed what, and when. */
  readonly audit: Audit;
  /** What was used over time, and what the quotas leave. */
  readonly usage: Usage;

  /** Throws a `ParleyError` if the options cannot be right, or in a page. */
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
      'This is a page, and whoever visits it could read the API key. Call your own backend, and use @parley/client/server there.',
    );
  return new Transport({
    baseUrl: serviceAt(options.baseUrl),
    apiKey: headerValue('apiKey', options.apiKey),
    organizationId: headerValue('organizationId', options.organizationId),
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  });
}

/** Checked now, so that a mistake shows when the process starts. */
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
    throw wrongArgument('baseUrl must be the address of the service, https://parley.example.com.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw wrongArgument('baseUrl must have no credentials, no query and no fragment.');
  const path = url.pathname.replace(/\/$/, '');
  if (/\/(?:api|v1)$/.test(path))
    throw wrongArgument('baseUrl is the address of the service alone, without /api/v1.');
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
