// Generated from the contract by npm run contract; do not edit.

import type { AnswerStream } from './answer-stream.js';
import type { CallOptions, ChangeOptions, ListenOptions, PostOptions } from './call-options.js';
import type {
  Agent,
  AgentInput,
  AgentPatch,
  ChangedAgent,
  ToolTrialInput,
  ToolTrial,
  ServerTools,
  Connection,
  ConnectionInput,
  ConnectionPatch,
  ChangedConnection,
  ConnectionTest,
  RealtimeSessionRequest,
  RealtimeSessionResponse,
  LiveRealtimeSession,
  Approval,
  Conversation,
  ConversationDetails,
  ConversationExport,
  UsageReport,
  QuestionInput,
  CompletedAnswer,
  PendingAnswer,
  Message,
  Task,
  TaskInput,
  TaskPatch,
  Webhook,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret,
  ChangedWebhook,
  WebhookDelivery,
  AuditRecord,
  AuditVerification,
  TemporaryFile,
  ApiKey,
  ApiKeyInput,
  ApiKeyPatch,
  NewApiKey,
  SignInLink,
  Member,
  MemberInput,
  MemberPatch,
  NewMember,
  ListAgentsQuery,
  ListRealtimeSessionsQuery,
  ListApprovalsQuery,
  ListConversationsQuery,
  PageQuery,
  GetUsageQuery,
  ListTasksQuery,
  ListAuditLogQuery,
  ExportAuditLogQuery,
} from './contract.js';
import type { ListenedEvent } from './organization-events.js';
import type { Listing } from './listing.js';
import type { Method } from './method.js';
import type { FileToUpload } from './upload.js';

/** An agent: its instructions, its voice and its tools. */
export type Agents = {
  /**
   * List agents, oldest first.
   *
   * Returns a page of the organization’s agents, without the values of their secrets.
   *
   * Needs the scope `agents`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListAgentsQuery, options?: CallOptions): Listing<Agent>;

  /**
   * Create an agent.
   *
   * You can talk to the agent immediately: in text with `questions.ask`, by voice with
   * `realtimeSessions.create`.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  create(body: AgentInput, options?: PostOptions): Promise<Agent>;

  /**
   * Read an agent.
   *
   * Returns the agent, with the names but not the values of its secrets. Send the ETag of
   * the response as If-Match to guard a later change.
   *
   * Needs the scope `agents`. A member needs the role `viewer`.
   */
  get(agentId: string, options?: CallOptions): Promise<Agent>;

  /**
   * Replace an agent; omitted fields take their defaults, secrets are kept.
   *
   * Replaces the agent with the body. Open sessions keep the version they started with. With
   * If-Match, only if nobody else has changed it.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  replace(agentId: string, body: AgentInput, options?: ChangeOptions): Promise<ChangedAgent>;

  /**
   * Change the given fields of an agent.
   *
   * Fields that are not in the body keep their values; `tools` is replaced as a whole. Open
   * sessions keep the version they started with. With If-Match, only if nobody else has
   * changed it.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  update(agentId: string, body: AgentPatch, options?: ChangeOptions): Promise<ChangedAgent>;

  /**
   * Delete an agent and its secrets; its conversations are kept.
   *
   * Open sessions of the agent end. An agent that another one uses as a sub-agent cannot be
   * deleted. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  delete(agentId: string, options?: ChangeOptions): Promise<void>;

  /**
   * Run one of an agent’s tools with your own arguments.
   *
   * Runs the tool as if the model had called it, with the same limits; failures are returned
   * as its result. The tool really runs: a request is sent, a task is created. There is no
   * conversation, and a tool that needs approval runs immediately, because the caller is
   * allowed to change the agent. The audit log records who tried which tool. For a tool of
   * an MCP server, use the name that the model knows it by. Sub-agents and client tools
   * cannot be tried: ask a sub-agent with `questions.ask`; client tools run in the client.
   *
   * Needs the scopes `agents` and `questions`. A member needs the role `editor`.
   */
  tryTool(
    agentId: string,
    name: string,
    body?: ToolTrialInput,
    options?: PostOptions,
  ): Promise<ToolTrial>;

  /**
   * List the tools that an MCP server of an agent offers now.
   *
   * Parley asks the server as it does when a session begins, and lists the tools that the
   * agent may not use as well. A server that does not answer has an empty list, and
   * `problems` says why.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  listServerTools(agentId: string, serverName: string, options?: CallOptions): Promise<ServerTools>;
};

/** Questions to agents, in text. */
export type Questions = {
  /**
   * Ask an agent a question in text.
   *
   * The agent answers with its text model, its tools and the conversation so far. A question
   * whose tool needs approval, or that takes longer than QUESTION_TIMEOUT_SECONDS, gets a
   * 202 and continues in the background.
   *
   * Needs the scope `questions`. A member needs the role `editor`.
   *
   * Check `status`: an answer that is not `completed` yet will be added to the conversation.
   */
  ask(
    agentId: string,
    body: QuestionInput,
    options?: PostOptions,
  ): Promise<CompletedAnswer | PendingAnswer>;

  /**
   * Ask an agent a question in text; its answer is streamed as events.
   *
   * The agent answers with its text model, its tools and the conversation so far. A question
   * whose tool needs approval, or that takes longer than QUESTION_TIMEOUT_SECONDS, gets a
   * 202 and continues in the background.
   *
   * Needs the scope `questions`. A member needs the role `editor`.
   *
   * Loop over the events with `for await`, or await `answer()` for the whole answer.
   */
  stream(agentId: string, body: QuestionInput, options?: PostOptions): AnswerStream;
};

/** A realtime session: created here, then opened as a WebSocket with its one-time token. */
export type RealtimeSessions = {
  /**
   * Create a one-time, short-lived realtime session.
   *
   * Returns a one-time token and the path of the WebSocket to open with it. Pass both to the
   * end user’s client, never your API key. The body can be omitted.
   *
   * Needs the scope `realtime`. A member needs the role `editor`.
   */
  create(
    agentId: string,
    body?: RealtimeSessionRequest,
    options?: PostOptions,
  ): Promise<RealtimeSessionResponse>;

  /**
   * List the open sessions of every instance, oldest first.
   *
   * Returns a page of the sessions whose WebSocket is open.
   *
   * Needs the scope `realtime`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListRealtimeSessionsQuery, options?: CallOptions): Listing<LiveRealtimeSession>;

  /**
   * End an open session, whichever instance holds it; its WebSocket is closed with 4412.
   *
   * Running tools of the session are cancelled. If the session has already ended, the
   * response is 404.
   *
   * Needs the scope `realtime`. A member needs the role `editor`.
   */
  end(sessionId: string, options?: CallOptions): Promise<void>;
};

/** A tool call that waits until a person allows it. */
export type Approvals = {
  /**
   * List approvals, oldest first; by default only those that are waiting.
   *
   * Returns a page of tool calls that need, or needed, a person’s decision.
   *
   * Needs the scope `approvals`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListApprovalsQuery, options?: CallOptions): Listing<Approval>;

  /**
   * Approve a waiting tool call; it then runs once.
   *
   * If several callers decide the same call, exactly one wins; the others get 409. Identify
   * the call by the approval’s id, or by the provider’s call id.
   *
   * Needs the scope `approvals`. A member needs the role `approver`.
   */
  approve(callId: string, options?: PostOptions): Promise<Approval>;

  /**
   * Reject a waiting tool call; the model is told.
   *
   * The tool does not run. If several callers decide the same call, exactly one wins; the
   * others get 409.
   *
   * Needs the scope `approvals`. A member needs the role `approver`.
   */
  reject(callId: string, options?: PostOptions): Promise<Approval>;
};

/** The record of what was said to an agent, what its tools did, and what it cost. */
export type Conversations = {
  /**
   * List conversations, oldest first.
   *
   * Returns a page of the organization’s conversations, from both realtime sessions and
   * questions.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListConversationsQuery, options?: CallOptions): Listing<Conversation>;

  /**
   * Read a conversation with its sessions and its usage.
   *
   * Usage is the total of all sessions and questions of the conversation, per model.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   */
  get(conversationId: string, options?: CallOptions): Promise<ConversationDetails>;

  /**
   * List the messages of a conversation in the order in which they were spoken.
   *
   * Returns what the user and the agent said, with tool calls in their positions.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  listMessages(conversationId: string, query?: PageQuery, options?: CallOptions): Listing<Message>;

  /**
   * Stream everything about a conversation as one JSON object.
   *
   * The conversation, its messages, approvals, tasks and files. An interrupted response is
   * not valid JSON.
   *
   * Needs the scopes `conversations`, `approvals` and `tasks`. A member needs the role
   * `viewer`.
   */
  export(conversationId: string, options?: CallOptions): Promise<ConversationExport>;

  /**
   * Delete a conversation and everything that was said in it.
   *
   * Its open sessions end, and what the agent wrote into tasks is removed, too. The audit
   * log records the deletion.
   *
   * Needs the scope `conversations`. A member needs the role `editor`.
   */
  delete(conversationId: string, options?: CallOptions): Promise<void>;
};

/** An organization’s usage over time, and its quotas. */
export type Usage = {
  /**
   * Read usage over time, and the quotas.
   *
   * One item per UTC hour or day, at most 1,000. Usage is computed from the record: when a
   * conversation is deleted, so is its usage.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   */
  get(query?: GetUsageQuery, options?: CallOptions): Promise<UsageReport>;
};

/** A temporary file, whose text an agent can read with a question or a realtime session. */
export type Files = {
  /**
   * List temporary files, oldest first.
   *
   * Returns a page of the files that have not expired, without their content.
   *
   * Needs the scope `files`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<TemporaryFile>;

  /**
   * Upload a file for agents to read.
   *
   * The file is stored temporarily. Reference its id in `fileIds` of a question or a
   * realtime session.
   *
   * Needs the scope `files`. A member needs the role `editor`.
   */
  upload(file: FileToUpload, options?: PostOptions): Promise<TemporaryFile>;

  /**
   * Read the metadata of a temporary file.
   *
   * Its name, its type as detected from its content, and when it expires.
   *
   * Needs the scope `files`. A member needs the role `viewer`.
   */
  get(fileId: string, options?: CallOptions): Promise<TemporaryFile>;

  /**
   * Download a temporary file as it was uploaded.
   *
   * As an attachment, with the media type detected from its content.
   *
   * Needs the scope `files`. A member needs the role `viewer`.
   */
  download(fileId: string, options?: CallOptions): Promise<Response>;

  /**
   * Delete a temporary file before it expires.
   *
   * Agents no longer get its text.
   *
   * Needs the scope `files`. A member needs the role `editor`.
   */
  delete(fileId: string, options?: CallOptions): Promise<void>;
};

/** Something to be done, synced with the system it comes from. */
export type Tasks = {
  /**
   * List tasks, oldest first.
   *
   * Returns a page of tasks. Filters are combined.
   *
   * Needs the scope `tasks`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListTasksQuery, options?: CallOptions): Listing<Task>;

  /**
   * Create a task; an existing externalId is a conflict.
   *
   * To create or replace in one request, use `tasks.saveByExternalId`.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  create(body: TaskInput, options?: PostOptions): Promise<Task>;

  /**
   * Read a task.
   *
   * Send the ETag of the response as If-Match to guard a later change.
   *
   * Needs the scope `tasks`. A member needs the role `viewer`.
   */
  get(taskId: string, options?: CallOptions): Promise<Task>;

  /**
   * Replace a task; omitted fields take their defaults.
   *
   * Replaces the task with the body. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  replace(taskId: string, body: TaskInput, options?: ChangeOptions): Promise<Task>;

  /**
   * Change the given fields of a task.
   *
   * Fields that are not in the body keep their values; `metadata` is replaced as a whole.
   * With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  update(taskId: string, body: TaskPatch, options?: ChangeOptions): Promise<Task>;

  /**
   * Delete a task.
   *
   * With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  delete(taskId: string, options?: ChangeOptions): Promise<void>;

  /**
   * Create or replace the task that has this id in another system.
   *
   * For syncing tasks with another system; the request is idempotent. The externalId in the
   * path counts; one in the body must match it. With `If-None-Match: *`, the task is only
   * created, never replaced.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  saveByExternalId(externalId: string, body: TaskInput, options?: ChangeOptions): Promise<Task>;
};

/** How Parley reaches a model provider. */
export type Connections = {
  /**
   * List provider connections, oldest first.
   *
   * Returns a page of the organization’s connections, without their secrets.
   *
   * Needs the scope `connections`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Connection>;

  /**
   * Create a provider connection.
   *
   * Agents reference a connection by its id; without one, they use the deployment’s default.
   *
   * Needs the scope `connections`. A member needs the role `editor`.
   */
  create(body: ConnectionInput, options?: PostOptions): Promise<Connection>;

  /**
   * Read a provider connection.
   *
   * Returns the connection, without its secret; `hasSecret` says whether there is one.
   *
   * Needs the scope `connections`. A member needs the role `viewer`.
   */
  get(connectionId: string, options?: CallOptions): Promise<Connection>;

  /**
   * Change the given fields of a connection; a baseUrl with another origin drops the secret
   * unless it is sent again.
   *
   * Fields that are not in the body keep their values. The kind of a connection cannot be
   * changed.
   *
   * Needs the scope `connections`. A member needs the role `editor`.
   */
  update(
    connectionId: string,
    body: ConnectionPatch,
    options?: CallOptions,
  ): Promise<ChangedConnection>;

  /**
   * Delete a connection that no agent uses.
   *
   * Its secret is deleted with it.
   *
   * Needs the scope `connections`. A member needs the role `editor`.
   */
  delete(connectionId: string, options?: CallOptions): Promise<void>;

  /**
   * Test whether the provider accepts a connection.
   *
   * A realtime connection opens a session and closes it before anything is said, which costs
   * nothing; any other connection lists the provider’s models. You can also test a disabled
   * connection. Failures, such as a wrong key or an unreachable address, are returned with
   * `ok` false.
   *
   * Needs the scope `connections`. A member needs the role `editor`.
   */
  test(connectionId: string, options?: PostOptions): Promise<ConnectionTest>;
};

/** Where an organization’s events are sent: signed requests, retried until they are accepted. */
export type Webhooks = {
  /**
   * List webhooks, oldest first.
   *
   * Returns a page of webhooks, without their signing secrets.
   *
   * Needs the scope `webhooks`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Webhook>;

  /**
   * Create a webhook; the response contains its signing secret, which is shown only once.
   *
   * Events are sent from now on, signed according to Standard Webhooks. The address must be
   * reachable from the deployment.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  create(body: WebhookInput, options?: PostOptions): Promise<WebhookWithSecret>;

  /**
   * Read a webhook.
   *
   * Returns the webhook, without its signing secret.
   *
   * Needs the scope `webhooks`. A member needs the role `viewer`.
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;

  /**
   * Change the given fields of a webhook; a url with another origin gets a new signing
   * secret.
   *
   * Fields that are not in the body keep their values; `events` is replaced as a whole.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Promise<ChangedWebhook>;

  /**
   * Delete a webhook; undelivered events are dropped.
   *
   * No further events are sent to it.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  delete(webhookId: string, options?: CallOptions): Promise<void>;

  /**
   * Rotate the signing secret; requests are signed with the new one from now on.
   *
   * The response contains the new secret, which is shown only once.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  replaceSecret(webhookId: string, options?: PostOptions): Promise<WebhookWithSecret>;

  /**
   * List the deliveries to a webhook, oldest first.
   *
   * Returns a page of deliveries, each with its attempts and its last error.
   *
   * Needs the scope `webhooks`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  listDeliveries(
    webhookId: string,
    query?: PageQuery,
    options?: CallOptions,
  ): Listing<WebhookDelivery>;

  /**
   * Resend an event that was delivered or given up.
   *
   * The event is sent immediately, with the same `webhook-id` and body. Attempts keep
   * counting: an event that has used all of them gets one more.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  redeliver(webhookId: string, deliveryId: string, options?: PostOptions): Promise<WebhookDelivery>;
};

/** A key with which a system acts for the organization. */
export type ApiKeys = {
  /**
   * List API keys, oldest first.
   *
   * Returns a page of keys, including revoked ones. The keys themselves are not stored.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<ApiKey>;

  /**
   * Create an API key; the response contains it, and it is shown only once.
   *
   * Without `scopes`, it has all scopes except `admin`. Give each system its own key.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  create(body: ApiKeyInput, options?: PostOptions): Promise<NewApiKey>;

  /**
   * Change the name, the scopes or the expiry of an API key.
   *
   * The change applies from the next request. A revoked key cannot be changed.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  update(keyId: string, body: ApiKeyPatch, options?: CallOptions): Promise<ApiKey>;

  /**
   * Revoke an API key.
   *
   * Requests with it are refused from now on, and everything it opened ends within seconds.
   * It stays in the list. This cannot be undone.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  revoke(keyId: string, options?: CallOptions): Promise<void>;
};

/** A person who can sign in to the organization, and their role. */
export type Members = {
  /**
   * List members, oldest first.
   *
   * Returns a page of the people who can sign in to the organization, with their roles.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Member>;

  /**
   * Add a person by email address; the response contains a sign-in link, which is shown only
   * once.
   *
   * No email is sent: pass the link on yourself. It works once, within 10 minutes, and only
   * for this organization. If the person is already a member, the response is 409.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  add(body: MemberInput, options?: PostOptions): Promise<NewMember>;

  /**
   * Change a member’s role.
   *
   * The change applies from their next request. Changing the role of the last owner fails
   * with 409.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  changeRole(memberId: string, body: MemberPatch, options?: CallOptions): Promise<Member>;

  /**
   * Remove a member.
   *
   * Their next request is refused, and everything they opened ends within seconds. Removing
   * the last owner fails with 409.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  remove(memberId: string, options?: CallOptions): Promise<void>;

  /**
   * Create a sign-in link for a member; it is shown only once.
   *
   * For members who lost their link, or have no password. It works once, within 10 minutes,
   * and only for this organization.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  createSignInLink(memberId: string, options?: PostOptions): Promise<SignInLink>;
};

/** Events in real time, for pages and backends. */
export type Events = {
  /**
   * Listen to the organization’s events, as server-sent events.
   *
   * Each event says what to read again: ids and kinds, never the content. You receive events
   * about what your scopes let you read: approvals with `approvals`, sessions and messages
   * with `conversations` or `realtime`, answers with `conversations` or `questions`, tasks
   * with `tasks`. The stream continues until one side disconnects; send the last id back in
   * `Last-Event-ID` to resume it.
   *
   * Needs one of the scopes `approvals`, `conversations`, `realtime`, `questions`, `tasks`.
   * A member needs the role `viewer`.
   *
   * Loop over the events with `for await`; leaving the loop disconnects. A broken connection
   * is re-established and resumes after the last event.
   */
  listen(options?: ListenOptions): AsyncIterable<ListenedEvent>;
};

/** Who changed what and when: one tamper-evident chain of records per organization. */
export type Audit = {
  /**
   * List audit records, oldest first.
   *
   * Returns a page of the organization’s audit log. Filters are combined.
   *
   * Needs the scope `audit`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): Listing<AuditRecord>;

  /**
   * Verify the hash chain of the audit log, from the first record to the last.
   *
   * This takes a while for a long log. A request made while the log is being verified gets
   * the result of that verification.
   *
   * Needs the scope `audit`. A member needs the role `viewer`.
   */
  verify(options?: CallOptions): Promise<AuditVerification>;

  /**
   * Read all matching audit records, oldest first.
   *
   * For archives and other systems: any length, in constant memory.
   *
   * Loop over the records with `for await`. An interrupted export resumes automatically.
   */
  export(query?: ExportAuditLogQuery, options?: CallOptions): AsyncIterable<AuditRecord>;

  /**
   * Read all matching audit records, oldest first, as CSV.
   *
   * For archives and other systems: any length, in constant memory. Resume an interrupted
   * export with `after`.
   *
   * Loop over the chunks of CSV with `for await`, and write them in order.
   */
  exportCsv(query?: ExportAuditLogQuery, options?: CallOptions): AsyncIterable<string>;
};

/** Every group of methods, by its name in `Parley`. */
export type Groups = {
  readonly agents: Agents;
  readonly questions: Questions;
  readonly realtimeSessions: RealtimeSessions;
  readonly approvals: Approvals;
  readonly conversations: Conversations;
  readonly usage: Usage;
  readonly files: Files;
  readonly tasks: Tasks;
  readonly connections: Connections;
  readonly webhooks: Webhooks;
  readonly apiKeys: ApiKeys;
  readonly members: Members;
  readonly events: Events;
  readonly audit: Audit;
};

/** The request that each method sends, and how its response is handled. */
export const methods = {
  agents: {
    list: { verb: 'GET', path: '/api/v1/Agent', takes: 'query', gives: 'page' },
    create: { verb: 'POST', path: '/api/v1/Agent', takes: 'body', gives: 'json' },
    get: { verb: 'GET', path: '/api/v1/Agent/{agentId}', takes: 'nothing', gives: 'json' },
    replace: { verb: 'PUT', path: '/api/v1/Agent/{agentId}', takes: 'body', gives: 'json' },
    update: { verb: 'PATCH', path: '/api/v1/Agent/{agentId}', takes: 'body', gives: 'json' },
    delete: { verb: 'DELETE', path: '/api/v1/Agent/{agentId}', takes: 'nothing', gives: 'nothing' },
    tryTool: {
      verb: 'POST',
      path: '/api/v1/Agent/{agentId}/tool/{name}/try',
      takes: 'body',
      gives: 'json',
    },
    listServerTools: {
      verb: 'GET',
      path: '/api/v1/Agent/{agentId}/tool/{serverName}/listing',
      takes: 'nothing',
      gives: 'json',
    },
  },
  questions: {
    ask: { verb: 'POST', path: '/api/v1/Agent/{agentId}/question', takes: 'body', gives: 'answer' },
    stream: {
      verb: 'POST',
      path: '/api/v1/Agent/{agentId}/question',
      takes: 'body',
      gives: 'events',
    },
  },
  realtimeSessions: {
    create: {
      verb: 'POST',
      path: '/api/v1/Agent/{agentId}/realtime-session',
      takes: 'body',
      gives: 'json',
    },
    list: { verb: 'GET', path: '/api/v1/RealtimeSession', takes: 'query', gives: 'page' },
    end: {
      verb: 'DELETE',
      path: '/api/v1/RealtimeSession/{sessionId}',
      takes: 'nothing',
      gives: 'nothing',
    },
  },
  approvals: {
    list: { verb: 'GET', path: '/api/v1/Approval', takes: 'query', gives: 'page' },
    approve: {
      verb: 'POST',
      path: '/api/v1/Approval/{callId}/approve',
      takes: 'nothing',
      gives: 'json',
    },
    reject: {
      verb: 'POST',
      path: '/api/v1/Approval/{callId}/reject',
      takes: 'nothing',
      gives: 'json',
    },
  },
  conversations: {
    list: { verb: 'GET', path: '/api/v1/Conversation', takes: 'query', gives: 'page' },
    get: {
      verb: 'GET',
      path: '/api/v1/Conversation/{conversationId}',
      takes: 'nothing',
      gives: 'json',
    },
    listMessages: {
      verb: 'GET',
      path: '/api/v1/Conversation/{conversationId}/message',
      takes: 'query',
      gives: 'page',
    },
    export: {
      verb: 'GET',
      path: '/api/v1/Conversation/{conversationId}/export',
      takes: 'nothing',
      gives: 'json',
    },
    delete: {
      verb: 'DELETE',
      path: '/api/v1/Conversation/{conversationId}',
      takes: 'nothing',
      gives: 'nothing',
    },
  },
  usage: { get: { verb: 'GET', path: '/api/v1/Usage', takes: 'query', gives: 'json' } },
  files: {
    list: { verb: 'GET', path: '/api/v1/TemporaryFile', takes: 'query', gives: 'page' },
    upload: { verb: 'POST', path: '/api/v1/TemporaryFile', takes: 'file', gives: 'json' },
    get: { verb: 'GET', path: '/api/v1/TemporaryFile/{fileId}', takes: 'nothing', gives: 'json' },
    download: {
      verb: 'GET',
      path: '/api/v1/TemporaryFile/{fileId}/content',
      takes: 'nothing',
      gives: 'download',
    },
    delete: {
      verb: 'DELETE',
      path: '/api/v1/TemporaryFile/{fileId}',
      takes: 'nothing',
      gives: 'nothing',
    },
  },
  tasks: {
    list: { verb: 'GET', path: '/api/v1/Task', takes: 'query', gives: 'page' },
    create: { verb: 'POST', path: '/api/v1/Task', takes: 'body', gives: 'json' },
    get: { verb: 'GET', path: '/api/v1/Task/{taskId}', takes: 'nothing', gives: 'json' },
    replace: { verb: 'PUT', path: '/api/v1/Task/{taskId}', takes: 'body', gives: 'json' },
    update: { verb: 'PATCH', path: '/api/v1/Task/{taskId}', takes: 'body', gives: 'json' },
    delete: { verb: 'DELETE', path: '/api/v1/Task/{taskId}', takes: 'nothing', gives: 'nothing' },
    saveByExternalId: {
      verb: 'PUT',
      path: '/api/v1/Task/externalId/{externalId}',
      takes: 'body',
      gives: 'json',
    },
  },
  connections: {
    list: { verb: 'GET', path: '/api/v1/Connection', takes: 'query', gives: 'page' },
    create: { verb: 'POST', path: '/api/v1/Connection', takes: 'body', gives: 'json' },
    get: {
      verb: 'GET',
      path: '/api/v1/Connection/{connectionId}',
      takes: 'nothing',
      gives: 'json',
    },
    update: {
      verb: 'PATCH',
      path: '/api/v1/Connection/{connectionId}',
      takes: 'body',
      gives: 'json',
    },
    delete: {
      verb: 'DELETE',
      path: '/api/v1/Connection/{connectionId}',
      takes: 'nothing',
      gives: 'nothing',
    },
    test: {
      verb: 'POST',
      path: '/api/v1/Connection/{connectionId}/test',
      takes: 'nothing',
      gives: 'json',
    },
  },
  webhooks: {
    list: { verb: 'GET', path: '/api/v1/Webhook', takes: 'query', gives: 'page' },
    create: { verb: 'POST', path: '/api/v1/Webhook', takes: 'body', gives: 'json' },
    get: { verb: 'GET', path: '/api/v1/Webhook/{webhookId}', takes: 'nothing', gives: 'json' },
    update: { verb: 'PATCH', path: '/api/v1/Webhook/{webhookId}', takes: 'body', gives: 'json' },
    delete: {
      verb: 'DELETE',
      path: '/api/v1/Webhook/{webhookId}',
      takes: 'nothing',
      gives: 'nothing',
    },
    replaceSecret: {
      verb: 'POST',
      path: '/api/v1/Webhook/{webhookId}/secret',
      takes: 'nothing',
      gives: 'json',
    },
    listDeliveries: {
      verb: 'GET',
      path: '/api/v1/Webhook/{webhookId}/delivery',
      takes: 'query',
      gives: 'page',
    },
    redeliver: {
      verb: 'POST',
      path: '/api/v1/Webhook/{webhookId}/delivery/{deliveryId}/redeliver',
      takes: 'nothing',
      gives: 'json',
    },
  },
  apiKeys: {
    list: { verb: 'GET', path: '/api/v1/ApiKey', takes: 'query', gives: 'page' },
    create: { verb: 'POST', path: '/api/v1/ApiKey', takes: 'body', gives: 'json' },
    update: { verb: 'PATCH', path: '/api/v1/ApiKey/{keyId}', takes: 'body', gives: 'json' },
    revoke: { verb: 'DELETE', path: '/api/v1/ApiKey/{keyId}', takes: 'nothing', gives: 'nothing' },
  },
  members: {
    list: { verb: 'GET', path: '/api/v1/Member', takes: 'query', gives: 'page' },
    add: { verb: 'POST', path: '/api/v1/Member', takes: 'body', gives: 'json' },
    changeRole: { verb: 'PATCH', path: '/api/v1/Member/{memberId}', takes: 'body', gives: 'json' },
    remove: {
      verb: 'DELETE',
      path: '/api/v1/Member/{memberId}',
      takes: 'nothing',
      gives: 'nothing',
    },
    createSignInLink: {
      verb: 'POST',
      path: '/api/v1/Member/{memberId}/sign-in-link',
      takes: 'nothing',
      gives: 'json',
    },
  },
  events: { listen: { verb: 'GET', path: '/api/v1/Event', takes: 'nothing', gives: 'happenings' } },
  audit: {
    list: { verb: 'GET', path: '/api/v1/AuditLog', takes: 'query', gives: 'page' },
    verify: { verb: 'GET', path: '/api/v1/AuditLog/verification', takes: 'nothing', gives: 'json' },
    export: { verb: 'GET', path: '/api/v1/AuditLog/export', takes: 'query', gives: 'records' },
    exportCsv: { verb: 'GET', path: '/api/v1/AuditLog/export', takes: 'query', gives: 'text' },
  },
} as const satisfies { [Group in keyof Groups]: Record<keyof Groups[Group], Method> };
