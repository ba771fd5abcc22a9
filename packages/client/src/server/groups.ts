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

/** An agent: its instructions, its voice, and the tools that it may use. */
export type Agents = {
  /**
   * List agents, oldest first.
   *
   * A page of the organization’s agents, with everything but the values of their secrets.
   *
   * Needs the scope `agents`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListAgentsQuery, options?: CallOptions): Listing<Agent>;

  /**
   * Create an agent.
   *
   * The agent can be talked to at once: in text with `questions.ask`, by voice with `realtimeSessions.create`.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  create(body: AgentInput, options?: PostOptions): Promise<Agent>;

  /**
   * Read an agent.
   *
   * Everything about an agent but the values of its secrets, of which it tells the names. The ETag of the answer guards a later change with If-Match.
   *
   * Needs the scope `agents`. A member needs the role `viewer`.
   */
  get(agentId: string, options?: CallOptions): Promise<Agent>;

  /**
   * Replace an agent; fields left out take their defaults, secrets stay.
   *
   * The agent becomes what the body says. Sessions that are open go on with what they began with. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  replace(agentId: string, body: AgentInput, options?: ChangeOptions): Promise<ChangedAgent>;

  /**
   * Change the given fields of an agent.
   *
   * Fields that the body does not name stay as they are; `tools` is replaced as a whole. Sessions that are open go on with what they began with. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  update(agentId: string, body: AgentPatch, options?: ChangeOptions): Promise<ChangedAgent>;

  /**
   * Delete an agent and its secrets; its conversations stay.
   *
   * Open sessions of the agent end. An agent that another one asks as a sub-agent cannot be deleted. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  delete(agentId: string, options?: ChangeOptions): Promise<void>;

  /**
   * Run one tool of an agent with arguments of your own.
   *
   * The tool is run as a call of the model runs it, with the same limits, and whatever goes wrong is its result. It really happens: a request is sent, a task is created. There is no conversation, and a tool that needs approval is run at once, since whoever asks is a person who may change the agent. The audit log tells who tried which tool. Name a tool of an MCP server as the model is offered it. A sub-agent is asked with `questions.ask`, and a client tool is run by its client: neither can be tried.
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
   * Parley asks the server as it does when a session begins, and lists the tools that the agent may not use as well. A server that does not answer has an empty list, and `problems` says why.
   *
   * Needs the scope `agents`. A member needs the role `editor`.
   */
  listServerTools(agentId: string, name: string, options?: CallOptions): Promise<ServerTools>;
};

/** Questions to agents, in text. */
export type Questions = {
  /**
   * Ask an agent a question in text.
   *
   * The agent answers with its text model, its tools, and what was said in the conversation before. A question whose tool needs a person’s approval, or that takes longer than its request may, is answered with 202 and goes on by itself.
   *
   * Needs the scope `questions`. A member needs the role `editor`.
   *
   * Look at `status`: an answer that is not `completed` yet will stand in the conversation.
   */
  ask(
    agentId: string,
    body: QuestionInput,
    options?: PostOptions,
  ): Promise<CompletedAnswer | PendingAnswer>;

  /**
   * Ask an agent a question in text; its answer comes as events, piece by piece.
   *
   * The agent answers with its text model, its tools, and what was said in the conversation before. A question whose tool needs a person’s approval, or that takes longer than its request may, is answered with 202 and goes on by itself.
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
   * Returns a one-time token and the path of the WebSocket to open with it. Hand both to the end user’s client, never your API key. The body may be left out.
   *
   * Needs the scope `realtime`. A member needs the role `editor`.
   */
  create(
    agentId: string,
    body?: RealtimeSessionRequest,
    options?: PostOptions,
  ): Promise<RealtimeSessionResponse>;

  /**
   * List the sessions that are open now, on every instance, oldest first.
   *
   * A page of the sessions whose WebSocket is open.
   *
   * Needs the scope `realtime`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListRealtimeSessionsQuery, options?: CallOptions): Listing<LiveRealtimeSession>;

  /**
   * End an open session, whichever instance holds it; its WebSocket is closed with 4412.
   *
   * What the session’s tools are doing is cancelled. A session that has ended already is not found.
   *
   * Needs the scope `realtime`. A member needs the role `editor`.
   */
  end(sessionId: string, options?: CallOptions): Promise<void>;
};

/** A tool call that waits until a person allows it. */
export type Approvals = {
  /**
   * List approvals, oldest first; those that wait unless another state is asked for.
   *
   * A page of tool calls that need a person’s decision, or needed it.
   *
   * Needs the scope `approvals`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListApprovalsQuery, options?: CallOptions): Listing<Approval>;

  /**
   * Approve a tool call that waits; it is then run once.
   *
   * Of everybody who decides about a call, exactly one wins; the others get 409. Name the call by the approval’s id, or by the provider’s id of the call.
   *
   * Needs the scope `approvals`. A member needs the role `approver`.
   */
  approve(callId: string, options?: PostOptions): Promise<Approval>;

  /**
   * Reject a tool call that waits; the model is told.
   *
   * The tool is not run. Of everybody who decides about a call, exactly one wins; the others get 409.
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
   * A page of the organization’s conversations, those of realtime sessions and of questions alike.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListConversationsQuery, options?: CallOptions): Listing<Conversation>;

  /**
   * Read a conversation with its sessions and its usage.
   *
   * What all sessions and questions of the conversation used is summed up per model.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   */
  get(conversationId: string, options?: CallOptions): Promise<ConversationDetails>;

  /**
   * List the messages of a conversation in the order in which they were spoken.
   *
   * What the user and the agent said, and the calls of tools in their places among it.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  listMessages(conversationId: string, query?: PageQuery, options?: CallOptions): Listing<Message>;

  /**
   * Stream everything about a conversation as one JSON object.
   *
   * The conversation, its messages, approvals, tasks and files. An answer that breaks off is no valid JSON.
   *
   * Needs the scopes `conversations`, `approvals` and `tasks`. A member needs the role `viewer`.
   */
  export(conversationId: string, options?: CallOptions): Promise<ConversationExport>;

  /**
   * Delete a conversation and everything that was said in it.
   *
   * Its open sessions end, and what the agent wrote into tasks goes too. The audit log keeps that it was deleted.
   *
   * Needs the scope `conversations`. A member needs the role `editor`.
   */
  delete(conversationId: string, options?: CallOptions): Promise<void>;
};

/** What an organization used over time, and what its quotas leave. */
export type Usage = {
  /**
   * Read what was used over time, and what the quotas leave.
   *
   * One item per hour or day of UTC, at most 1,000 of them. It is counted from the record: what a conversation used is gone when the conversation is deleted.
   *
   * Needs the scope `conversations`. A member needs the role `viewer`.
   */
  get(query?: GetUsageQuery, options?: CallOptions): Promise<UsageReport>;
};

/** A file for a while: its text can be given to an agent with a question or a realtime session. */
export type Files = {
  /**
   * List temporary files, oldest first.
   *
   * A page of the files that have not expired; their content is not in it.
   *
   * Needs the scope `files`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<TemporaryFile>;

  /**
   * Upload a file whose text an agent can be given.
   *
   * The file is kept for a while. Name its id in `fileIds` of a question or of a realtime session.
   *
   * Needs the scope `files`. A member needs the role `editor`.
   */
  upload(file: FileToUpload, options?: PostOptions): Promise<TemporaryFile>;

  /**
   * Read what is known of a temporary file.
   *
   * Its name, its kind as found in its content, and how long it is kept.
   *
   * Needs the scope `files`. A member needs the role `viewer`.
   */
  get(fileId: string, options?: CallOptions): Promise<TemporaryFile>;

  /**
   * Download a temporary file as it was uploaded.
   *
   * As an attachment, with the media type that was found in the content.
   *
   * Needs the scope `files`. A member needs the role `viewer`.
   */
  download(fileId: string, options?: CallOptions): Promise<Response>;

  /**
   * Delete a temporary file before it expires.
   *
   * No agent is given its text any more.
   *
   * Needs the scope `files`. A member needs the role `editor`.
   */
  delete(fileId: string, options?: CallOptions): Promise<void>;
};

/** Something to be done, kept in step with the system that it comes from. */
export type Tasks = {
  /**
   * List tasks, oldest first.
   *
   * A page of tasks; filters are combined.
   *
   * Needs the scope `tasks`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListTasksQuery, options?: CallOptions): Listing<Task>;

  /**
   * Create a task; an externalId that exists is a conflict.
   *
   * To create or replace in one request, use `tasks.saveByExternalId`.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  create(body: TaskInput, options?: PostOptions): Promise<Task>;

  /**
   * Read a task.
   *
   * The ETag of the answer guards a later change with If-Match.
   *
   * Needs the scope `tasks`. A member needs the role `viewer`.
   */
  get(taskId: string, options?: CallOptions): Promise<Task>;

  /**
   * Replace a task; fields left out take their defaults.
   *
   * The task becomes what the body says. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`. A member needs the role `editor`.
   */
  replace(taskId: string, body: TaskInput, options?: ChangeOptions): Promise<Task>;

  /**
   * Change the given fields of a task.
   *
   * Fields that the body does not name stay as they are; `metadata` is replaced as a whole. With If-Match, only if nobody else has changed it.
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
   * For keeping tasks in step with another system: the same request may be sent again and again. The externalId of the path counts; one in the body must be the same.
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
   * A page of the organization’s connections. Their secrets are never shown.
   *
   * Needs the scope `connections`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Connection>;

  /**
   * Create a provider connection.
   *
   * Agents name a connection by its id; without one they use the deployment’s own.
   *
   * Needs the scope `connections`. A member needs the role `editor`.
   */
  create(body: ConnectionInput, options?: PostOptions): Promise<Connection>;

  /**
   * Read a provider connection.
   *
   * Everything about a connection but its secret, of which it tells whether there is one.
   *
   * Needs the scope `connections`. A member needs the role `viewer`.
   */
  get(connectionId: string, options?: CallOptions): Promise<Connection>;

  /**
   * Change the given fields of a connection; a baseUrl of another origin drops the secret unless it is sent again.
   *
   * Fields that the body does not name stay as they are. The kind of a connection cannot be changed.
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
   * Find out whether the provider lets a connection in.
   *
   * A connection for realtime opens a session, and leaves before anything is said in it, which costs nothing; any other one lists the provider’s models. A connection that is switched off can be tested, too. What goes wrong, a wrong key or an address that is not there, is the answer: `ok` is false.
   *
   * Needs the scope `connections`. A member needs the role `editor`.
   */
  test(connectionId: string, options?: PostOptions): Promise<ConnectionTest>;
};

/** Where an organization is told what happens: signed requests, repeated until they are accepted. */
export type Webhooks = {
  /**
   * List webhooks, oldest first.
   *
   * A page of webhooks. Their signing secrets are not shown.
   *
   * Needs the scope `webhooks`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Webhook>;

  /**
   * Create a webhook; the answer holds its signing secret, which is shown once.
   *
   * Events are sent from now on, signed as Standard Webhooks lays down. The address must be reachable from the deployment.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  create(body: WebhookInput, options?: PostOptions): Promise<WebhookWithSecret>;

  /**
   * Read a webhook.
   *
   * Everything about a webhook but its signing secret.
   *
   * Needs the scope `webhooks`. A member needs the role `viewer`.
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;

  /**
   * Change the given fields of a webhook; a url of another origin gets a new signing secret.
   *
   * Fields that the body does not name stay as they are; `events` is replaced as a whole.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Promise<ChangedWebhook>;

  /**
   * Delete a webhook; what was not delivered is dropped.
   *
   * Events that happen from now on are not sent to it.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  delete(webhookId: string, options?: CallOptions): Promise<void>;

  /**
   * Replace the signing secret; requests are signed with the new one from now on.
   *
   * The new secret is in the answer, and never shown again.
   *
   * Needs the scope `webhooks`. A member needs the role `editor`.
   */
  replaceSecret(webhookId: string, options?: PostOptions): Promise<WebhookWithSecret>;

  /**
   * List what was sent to a webhook and what came of it, oldest first.
   *
   * A page of deliveries, each with its attempts and its last error.
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
   * Send an event again that was delivered or given up.
   *
   * The event is due at once, with the same `webhook-id` and body. Attempts go on counting: an event that has had all of them gets one more.
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
   * A page of keys, revoked ones included. The keys themselves are not stored.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<ApiKey>;

  /**
   * Create an API key; the answer holds it, and it is shown once.
   *
   * Without `scopes` it has all of them but `admin`. Give each system a key of its own.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  create(body: ApiKeyInput, options?: PostOptions): Promise<NewApiKey>;

  /**
   * Change the name, the scopes or the expiry of an API key.
   *
   * It counts from the next request on. A key that was revoked stays as it is.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  update(keyId: string, body: ApiKeyPatch, options?: CallOptions): Promise<ApiKey>;

  /**
   * Revoke an API key.
   *
   * Requests with it are refused from then on, and what it opened ends within seconds. It stays in the list. This cannot be undone.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  revoke(keyId: string, options?: CallOptions): Promise<void>;
};

/** A person who may sign in to the organization, and their role. */
export type Members = {
  /**
   * List members, oldest first.
   *
   * A page of the people who may sign in to the organization, with their roles.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Member>;

  /**
   * Add a person by e-mail address; the answer holds a sign-in link, which is shown once.
   *
   * No mail is sent: hand the link over. It works once, within 10 minutes, and in this organization alone. Who is a member already is 409.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  add(body: MemberInput, options?: PostOptions): Promise<NewMember>;

  /**
   * Change a member’s role.
   *
   * It counts from their next request on. The last owner stays one: 409.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  changeRole(memberId: string, body: MemberPatch, options?: CallOptions): Promise<Member>;

  /**
   * Remove a member.
   *
   * Their next request is refused, and what they opened ends within seconds. The last owner cannot be removed: 409.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  remove(memberId: string, options?: CallOptions): Promise<void>;

  /**
   * Make a sign-in link for a member; it is shown once.
   *
   * For whoever lost theirs, or has no password. It works once, within 10 minutes, and in this organization alone.
   *
   * Needs the scope `admin`. A member needs the role `owner`.
   */
  createSignInLink(memberId: string, options?: PostOptions): Promise<SignInLink>;
};

/** What happens right now, for pages and backends that show it as it happens. */
export type Events = {
  /**
   * Listen to what happens in the organization, as server-sent events.
   *
   * Each event says what to read again: ids and kinds, never the record. You hear of what your scopes let you read: approvals with `approvals`, sessions and messages with `conversations` or `realtime`, answers with `conversations` or `questions`, tasks with `tasks`. The stream goes on until one side leaves; send the last id back in `Last-Event-ID` to go on where it broke off.
   *
   * Needs one of the scopes `approvals`, `conversations`, `realtime`, `questions`, `tasks`. A member needs the role `viewer`.
   *
   * Loop over the events with `for await`; leaving the loop ends it. A connection that breaks is made anew, and goes on after the last event.
   */
  listen(options?: ListenOptions): AsyncIterable<ListenedEvent>;
};

/** Who changed what and when: one chain of records per organization, which nobody can alter unseen. */
export type Audit = {
  /**
   * List audit records, oldest first.
   *
   * A page of the organization’s log of changes; filters are combined.
   *
   * Needs the scope `audit`. A member needs the role `viewer`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): Listing<AuditRecord>;

  /**
   * Verify the chain of the audit log, from the first record to the last.
   *
   * A long log takes a while. Whoever asks while the log is being verified gets the answer of that walk.
   *
   * Needs the scope `audit`. A member needs the role `viewer`.
   */
  verify(options?: CallOptions): Promise<AuditVerification>;

  /**
   * Read all audit records of the filter, oldest first.
   *
   * For archives and other systems: of any length, in constant memory.
   *
   * Loop over the records with `for await`. An export that breaks off goes on by itself.
   */
  export(query?: ExportAuditLogQuery, options?: CallOptions): AsyncIterable<AuditRecord>;

  /**
   * Read all audit records of the filter, oldest first, as CSV.
   *
   * For archives and other systems: of any length, in constant memory. Go on with `after` where it broke off.
   *
   * Loop over the pieces of CSV with `for await`, and write one after the other.
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

/** The request that each method sends, and what becomes of its answer. */
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
      path: '/api/v1/Agent/{agentId}/tool/{name}/listing',
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
