// Generated from the OpenAPI document by npm run contract; do not edit.

/* eslint-disable max-lines */

import type { CallOptions, ChangeOptions, PostOptions } from './call-options.js';
import type { AnswerStream } from './answer-stream.js';
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
   * Needs the scope `agents`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Agent>;

  /**
   * Create an agent.
   *
   * The agent can be talked to at once: in text with `questions.ask`, by voice with `realtimeSessions.create`.
   *
   * Needs the scope `agents`.
   */
  create(body: AgentInput, options?: PostOptions): Promise<Agent>;

  /**
   * Read an agent.
   *
   * Everything about an agent but the values of its secrets, of which it tells the names.
   *
   * Needs the scope `agents`.
   */
  get(agentId: string, options?: CallOptions): Promise<Agent>;

  /**
   * Replace an agent; fields left out take their defaults, secrets stay.
   *
   * The agent becomes what the body says. Sessions that are open go on with what they began with.
   *
   * Needs the scope `agents`.
   */
  replace(agentId: string, body: AgentInput, options?: CallOptions): Promise<ChangedAgent>;

  /**
   * Change the given fields of an agent.
   *
   * Fields that the body does not name stay as they are; `tools` is replaced as a whole. Sessions that are open go on with what they began with.
   *
   * Needs the scope `agents`.
   */
  update(agentId: string, body: AgentPatch, options?: CallOptions): Promise<ChangedAgent>;

  /**
   * Delete an agent and its secrets; its conversations stay.
   *
   * Open sessions of the agent end. An agent that another one asks as a sub-agent cannot be deleted.
   *
   * Needs the scope `agents`.
   */
  delete(agentId: string, options?: CallOptions): Promise<void>;
};

/** Questions to agents, in text. */
export type Questions = {
  /**
   * Ask an agent a question in text.
   *
   * The agent answers with its text model, its tools, and what was said in the conversation before. A question whose tool needs a person’s approval, or that takes longer than its request may, is answered with 202 and goes on by itself.
   *
   * Needs the scope `questions`.
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
   * Needs the scope `questions`.
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
   * Needs the scope `realtime`.
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
   * Needs the scope `realtime`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListRealtimeSessionsQuery, options?: CallOptions): Listing<LiveRealtimeSession>;

  /**
   * End an open session, whichever instance holds it; its WebSocket is closed with 4412.
   *
   * What the session’s tools are doing is cancelled. A session that has ended already is not found.
   *
   * Needs the scope `realtime`.
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
   * Needs the scope `approvals`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListApprovalsQuery, options?: CallOptions): Listing<Approval>;

  /**
   * Approve a tool call that waits; it is then run once.
   *
   * Of everybody who decides about a call, exactly one wins; the others get 409. Name the call by the approval’s id, or by the provider’s id of the call.
   *
   * Needs the scope `approvals`.
   */
  approve(callId: string, options?: PostOptions): Promise<Approval>;

  /**
   * Reject a tool call that waits; the model is told.
   *
   * The tool is not run. Of everybody who decides about a call, exactly one wins; the others get 409.
   *
   * Needs the scope `approvals`.
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
   * Needs the scope `conversations`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListConversationsQuery, options?: CallOptions): Listing<Conversation>;

  /**
   * Read a conversation with its sessions and its usage.
   *
   * What all sessions and questions of the conversation used is summed up per model.
   *
   * Needs the scope `conversations`.
   */
  get(conversationId: string, options?: CallOptions): Promise<ConversationDetails>;

  /**
   * List the messages of a conversation in the order in which they were spoken.
   *
   * What the user and the agent said, and the calls of tools in their places among it.
   *
   * Needs the scope `conversations`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  listMessages(conversationId: string, query?: PageQuery, options?: CallOptions): Listing<Message>;

  /**
   * Stream everything about a conversation as one JSON object.
   *
   * The conversation, its messages, approvals, tasks and files. An answer that breaks off is no valid JSON.
   *
   * Needs the scopes `conversations`, `approvals` and `tasks`.
   */
  export(conversationId: string, options?: CallOptions): Promise<ConversationExport>;

  /**
   * Delete a conversation and everything that was said in it.
   *
   * Its open sessions end, and what the agent wrote into tasks goes too. The audit log keeps that it was deleted.
   *
   * Needs the scope `conversations`.
   */
  delete(conversationId: string, options?: CallOptions): Promise<void>;
};

/** A file for a while: its text can be given to an agent with a question or a realtime session. */
export type Files = {
  /**
   * Upload a file whose text an agent can be given.
   *
   * The file is kept for a while. Name its id in `fileIds` of a question or of a realtime session.
   *
   * Needs the scope `files`.
   */
  upload(file: FileToUpload, options?: PostOptions): Promise<TemporaryFile>;

  /**
   * Read what is known of a temporary file.
   *
   * Its name, its kind as found in its content, and how long it is kept.
   *
   * Needs the scope `files`.
   */
  get(fileId: string, options?: CallOptions): Promise<TemporaryFile>;

  /**
   * Download a temporary file as it was uploaded.
   *
   * As an attachment, with the media type that was found in the content.
   *
   * Needs the scope `files`.
   */
  download(fileId: string, options?: CallOptions): Promise<Response>;

  /**
   * Delete a temporary file before it expires.
   *
   * No agent is given its text any more.
   *
   * Needs the scope `files`.
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
   * Needs the scope `tasks`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListTasksQuery, options?: CallOptions): Listing<Task>;

  /**
   * Create a task; an externalId that exists is a conflict.
   *
   * To create or replace in one request, use `tasks.saveByExternalId`.
   *
   * Needs the scope `tasks`.
   */
  create(body: TaskInput, options?: PostOptions): Promise<Task>;

  /**
   * Read a task.
   *
   * The ETag of the answer guards a later change with If-Match.
   *
   * Needs the scope `tasks`.
   */
  get(taskId: string, options?: CallOptions): Promise<Task>;

  /**
   * Replace a task; fields left out take their defaults.
   *
   * The task becomes what the body says. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`.
   */
  replace(taskId: string, body: TaskInput, options?: ChangeOptions): Promise<Task>;

  /**
   * Change the given fields of a task.
   *
   * Fields that the body does not name stay as they are; `metadata` is replaced as a whole. With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`.
   */
  update(taskId: string, body: TaskPatch, options?: ChangeOptions): Promise<Task>;

  /**
   * Delete a task.
   *
   * With If-Match, only if nobody else has changed it.
   *
   * Needs the scope `tasks`.
   */
  delete(taskId: string, options?: ChangeOptions): Promise<void>;

  /**
   * Create or replace the task that has this id in another system.
   *
   * For keeping tasks in step with another system: the same request may be sent again and again. The externalId of the path counts; one in the body must be the same.
   *
   * Needs the scope `tasks`.
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
   * Needs the scope `connections`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Connection>;

  /**
   * Create a provider connection.
   *
   * Agents name a connection by its id; without one they use the deployment’s own.
   *
   * Needs the scope `connections`.
   */
  create(body: ConnectionInput, options?: PostOptions): Promise<Connection>;

  /**
   * Read a provider connection.
   *
   * Everything about a connection but its secret, of which it tells whether there is one.
   *
   * Needs the scope `connections`.
   */
  get(connectionId: string, options?: CallOptions): Promise<Connection>;

  /**
   * Change the given fields of a connection; a baseUrl of another origin drops the secret unless it is sent again.
   *
   * Fields that the body does not name stay as they are. The kind of a connection cannot be changed.
   *
   * Needs the scope `connections`.
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
   * Needs the scope `connections`.
   */
  delete(connectionId: string, options?: CallOptions): Promise<void>;
};

/** Where an organization is told what happens: signed requests, repeated until they are accepted. */
export type Webhooks = {
  /**
   * List webhooks, oldest first.
   *
   * A page of webhooks. Their signing secrets are not shown.
   *
   * Needs the scope `webhooks`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: PageQuery, options?: CallOptions): Listing<Webhook>;

  /**
   * Create a webhook; the answer holds its signing secret, which is shown once.
   *
   * Events are sent from now on, signed as Standard Webhooks lays down. The address must be reachable from the deployment.
   *
   * Needs the scope `webhooks`.
   */
  create(body: WebhookInput, options?: PostOptions): Promise<WebhookWithSecret>;

  /**
   * Read a webhook.
   *
   * Everything about a webhook but its signing secret.
   *
   * Needs the scope `webhooks`.
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;

  /**
   * Change the given fields of a webhook; a url of another origin gets a new signing secret.
   *
   * Fields that the body does not name stay as they are; `events` is replaced as a whole.
   *
   * Needs the scope `webhooks`.
   */
  update(webhookId: string, body: WebhookPatch, options?: CallOptions): Promise<ChangedWebhook>;

  /**
   * Delete a webhook; what was not delivered is dropped.
   *
   * Events that happen from now on are not sent to it.
   *
   * Needs the scope `webhooks`.
   */
  delete(webhookId: string, options?: CallOptions): Promise<void>;

  /**
   * Replace the signing secret; requests are signed with the new one from now on.
   *
   * The new secret is in the answer, and never shown again.
   *
   * Needs the scope `webhooks`.
   */
  replaceSecret(webhookId: string, options?: PostOptions): Promise<WebhookWithSecret>;

  /**
   * List what was sent to a webhook and what came of it, oldest first.
   *
   * A page of deliveries, each with its attempts and its last error.
   *
   * Needs the scope `webhooks`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  listDeliveries(
    webhookId: string,
    query?: PageQuery,
    options?: CallOptions,
  ): Listing<WebhookDelivery>;
};

/** Who changed what and when: one chain of records per organization, which nobody can alter unseen. */
export type Audit = {
  /**
   * List audit records, oldest first.
   *
   * A page of the organization’s log of changes; filters are combined.
   *
   * Needs the scope `audit`.
   *
   * Await it for one page, or loop over it with `for await` for all items.
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): Listing<AuditRecord>;

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
  readonly files: Files;
  readonly tasks: Tasks;
  readonly connections: Connections;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
};

/** Which part of a list. */
export type PageQuery = {
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `realtimeSessions.list` filters by. */
export type ListRealtimeSessionsQuery = {
  /** Only sessions of this agent. */
  agentId?: string | undefined;
  /** Only sessions of this conversation. */
  conversationId?: string | undefined;
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `approvals.list` filters by. */
export type ListApprovalsQuery = {
  /** Only approvals in this state. */
  state?: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled' | undefined;
  /** Only calls of this agent’s tools. */
  agentId?: string | undefined;
  /** Only calls in this conversation. */
  conversationId?: string | undefined;
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `conversations.list` filters by. */
export type ListConversationsQuery = {
  /** Only the conversations of this agent. */
  agentId?: string | undefined;
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `tasks.list` filters by. */
export type ListTasksQuery = {
  status?: 'open' | 'inProgress' | 'done' | 'cancelled' | undefined;
  /** Only the tasks of this agent. */
  agentId?: string | undefined;
  /** Id of the task in another system; unique in the organization. */
  externalId?: string | undefined;
  /** Only tasks that are due before then. */
  dueBefore?: string | undefined;
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `audit.list` filters by. */
export type ListAuditLogQuery = {
  /** Only records from then on. */
  from?: string | undefined;
  /** Only records before then. */
  to?: string | undefined;
  /** Id or name of who made the change. */
  actor?: string | undefined;
  /** Such as agent.updated. */
  action?: string | undefined;
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `audit.export` filters by. */
export type ExportAuditLogQuery = {
  /** Only records with a higher sequence: that of the last record you have, to go on after an interruption, or Audit-Through of your last export. */
  after?: number | undefined;
  /** Only records from then on. */
  from?: string | undefined;
  /** Only records before then. */
  to?: string | undefined;
  /** Id or name of who made the change. */
  actor?: string | undefined;
  /** Such as agent.updated. */
  action?: string | undefined;
};

/** Part of `ErrorEvent`. */
export type Problem = {
  /** Where the error is documented. */
  type: string;
  title: string;
  status: number;
  /** What is wrong with this request, and what to do. */
  detail: string;
  errors?: readonly { path: string; message: string }[];
  /** The quota that is used up. */
  quota?: 'realtimeSessions' | 'questions' | 'fileBytes' | 'tokensPerDay' | 'mcpServersPerAgent';
};

/** Part of `Tool`. */
export type HttpTool = {
  kind: 'http';
  /** Unique among the agent’s tools. */
  name: string;
  description: string;
  /** JSON schema of the arguments: an object schema, bounded in size and depth. Arguments that it does not name in `properties`, at any depth, are not sent; `additionalProperties` as `true` or as a schema lets more through. A query parameter that `url` fixes stays as it is. */
  parameters?: Record<string, unknown>;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** URL template: {{name}} puts an argument in, outside the host. */
  url: string;
  headers?: Record<string, string>;
  /** Body template: {{name}} and {{secret:NAME}}. */
  body?: string;
  /** Names of the agent’s secrets that the templates use. */
  secretRefs?: readonly string[];
  /** A person must approve each call before it runs. Default: `false`. */
  approvalRequired?: boolean;
  /** Who may decide about a call that needs approval: `client` on the session’s own socket, `api` over REST; both when omitted. Where `client` is alone, a question cannot use the tool, since it has no socket. */
  approvers?: readonly ('client' | 'api')[];
  /** Default: `30`. */
  timeoutSeconds?: number;
  /** What a client shows while the tool runs. */
  title?: string;
  imageUrl?: string;
  /** A button that a client shows with the result. */
  button?: { label: string; link: string };
};

/** Part of `Tool`. */
export type McpTool = {
  kind: 'mcp';
  /** Unique among the agent’s tools. */
  name: string;
  description?: string;
  /** Streamable HTTP endpoint of the MCP server. */
  serverUrl: string;
  headers?: Record<string, string>;
  /** Only these tools of the server are offered; all when omitted. */
  allowedTools?: readonly string[];
  /** Which of the server’s tools need approval; overrides approvalRequired. */
  approvalPolicy?: { default?: 'always' | 'never'; tools?: Record<string, 'always' | 'never'> };
  /** A person must approve each call before it runs. Default: `false`. */
  approvalRequired?: boolean;
  /** Who may decide about a call that needs approval: `client` on the session’s own socket, `api` over REST; both when omitted. Where `client` is alone, a question cannot use the tool, since it has no socket. */
  approvers?: readonly ('client' | 'api')[];
  /** Default: `30`. */
  timeoutSeconds?: number;
  /** What a client shows while the tool runs. */
  title?: string;
  imageUrl?: string;
  /** A button that a client shows with the result. */
  button?: { label: string; link: string };
};

/** Part of `Tool`. */
export type SubagentTool = {
  kind: 'subagent';
  /** Unique among the agent’s tools. */
  name: string;
  description?: string;
  /** Another agent of the same organization. */
  agentId: string;
  /** A person must approve each call before it runs. Default: `false`. */
  approvalRequired?: boolean;
  /** Who may decide about a call that needs approval: `client` on the session’s own socket, `api` over REST; both when omitted. Where `client` is alone, a question cannot use the tool, since it has no socket. */
  approvers?: readonly ('client' | 'api')[];
  /** Default: `30`. */
  timeoutSeconds?: number;
  /** What a client shows while the tool runs. */
  title?: string;
  imageUrl?: string;
  /** A button that a client shows with the result. */
  button?: { label: string; link: string };
};

/** Part of `Tool`. */
export type BuiltinTool = {
  kind: 'builtin';
  name: 'create_task' | 'update_task' | 'current_time' | 'search_conversation';
  description?: string;
  /** A person must approve each call before it runs. Default: `false`. */
  approvalRequired?: boolean;
  /** Who may decide about a call that needs approval: `client` on the session’s own socket, `api` over REST; both when omitted. Where `client` is alone, a question cannot use the tool, since it has no socket. */
  approvers?: readonly ('client' | 'api')[];
  /** Default: `30`. */
  timeoutSeconds?: number;
  /** What a client shows while the tool runs. */
  title?: string;
  imageUrl?: string;
  /** A button that a client shows with the result. */
  button?: { label: string; link: string };
};

/** Part of `Agent`. */
export type Tool = HttpTool | McpTool | SubagentTool | BuiltinTool;

/** Part of `Agent`. */
export type SemanticVad = {
  type: 'semantic_vad';
  /** How soon the user counts as having finished. */
  eagerness?: 'low' | 'medium' | 'high' | 'auto';
  /** Whether the agent answers by itself; true when omitted. */
  createResponse?: boolean;
  /** Whether the user’s voice interrupts the agent; true when omitted. */
  interruptResponse?: boolean;
};

/** Part of `Agent`. */
export type ServerVad = {
  type: 'server_vad';
  threshold?: number;
  /** How much sound before the voice belongs to it. */
  prefixPaddingMs?: number;
  /** How long a pause ends what the user says. */
  silenceDurationMs?: number;
  /** After how long a silence the agent speaks up. */
  idleTimeoutMs?: number;
  /** Whether the agent answers by itself; true when omitted. */
  createResponse?: boolean;
  /** Whether the user’s voice interrupts the agent; true when omitted. */
  interruptResponse?: boolean;
};

/** Part of `Agent`. */
export type NoTurnDetection = { type: 'none' };

/** Returned by `agents.list`, `agents.create`, `agents.get`. */
export type Agent = {
  id: string;
  name: string;
  description: string;
  /** Instructions that the agent follows in every conversation. */
  systemMessage: string;
  /** Provider connection; null uses the deployment’s default. */
  connectionId: string | null;
  model: string;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. */
  textModel: string | null;
  voice: string;
  /** How a realtime session finds the end of what the user says, unless it is created with its own. */
  turnDetection: SemanticVad | ServerVad | NoTurnDetection;
  /** How the agent answers in a realtime session, unless it is created with its own: `audio`, with its words, or `text` alone. */
  outputModalities: readonly ('audio' | 'text')[];
  icon: string | null;
  iconColor: string | null;
  imageUrl: string | null;
  realtimeEnabled: boolean;
  tools: readonly Tool[];
  /** Names of the secrets that are set. */
  secretNames: readonly string[];
  createdAt: string;
  updatedAt: string;
};

/** Taken by `agents.create`, `agents.replace`. */
export type AgentInput = {
  name: string;
  /** Default: `""`. */
  description?: string | undefined;
  /** Instructions that the agent follows in every conversation. Default: `""`. */
  systemMessage?: string | undefined;
  /** Provider connection; null uses the deployment’s default. Default: `null`. */
  connectionId?: string | null | undefined;
  /** Realtime model; null or omitted follows the deployment’s REALTIME_MODEL. Default: `null`. */
  model?: string | null | undefined;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. Default: `null`. */
  textModel?: string | null | undefined;
  /** Default: `"alloy"`. */
  voice?: string | undefined;
  /** How a realtime session finds the end of what the user says, unless it is created with its own. Default: `{"type":"semantic_vad"}`. */
  turnDetection?: SemanticVad | ServerVad | NoTurnDetection | undefined;
  /** How the agent answers in a realtime session, unless it is created with its own: `audio`, with its words, or `text` alone. Default: `["audio"]`. */
  outputModalities?: readonly ('audio' | 'text')[] | undefined;
  /** Default: `null`. */
  icon?: string | null | undefined;
  /** Default: `null`. */
  iconColor?: string | null | undefined;
  /** Default: `null`. */
  imageUrl?: string | null | undefined;
  /** Default: `true`. */
  realtimeEnabled?: boolean | undefined;
  /** Default: `[]`. */
  tools?: readonly Tool[] | undefined;
  /** Values for {{secret:NAME}}, encrypted at rest and never returned. null removes one; what is not named stays, unless the change of a tool would send it to another origin. */
  secrets?: Record<string, string | null> | undefined;
};

/** Taken by `agents.update`. */
export type AgentPatch = {
  name?: string | undefined;
  description?: string | undefined;
  /** Instructions that the agent follows in every conversation. */
  systemMessage?: string | undefined;
  /** Provider connection; null uses the deployment’s default. */
  connectionId?: string | null | undefined;
  /** Realtime model; null or omitted follows the deployment’s REALTIME_MODEL. */
  model?: string | null | undefined;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. */
  textModel?: string | null | undefined;
  voice?: string | undefined;
  /** How a realtime session finds the end of what the user says, unless it is created with its own. */
  turnDetection?: SemanticVad | ServerVad | NoTurnDetection | undefined;
  /** How the agent answers in a realtime session, unless it is created with its own: `audio`, with its words, or `text` alone. */
  outputModalities?: readonly ('audio' | 'text')[] | undefined;
  icon?: string | null | undefined;
  iconColor?: string | null | undefined;
  imageUrl?: string | null | undefined;
  realtimeEnabled?: boolean | undefined;
  tools?: readonly Tool[] | undefined;
  /** Values for {{secret:NAME}}, encrypted at rest and never returned. null removes one; what is not named stays, unless the change of a tool would send it to another origin. */
  secrets?: Record<string, string | null> | undefined;
};

/** Returned by `agents.replace`, `agents.update`. */
export type ChangedAgent = {
  id: string;
  name: string;
  description: string;
  /** Instructions that the agent follows in every conversation. */
  systemMessage: string;
  /** Provider connection; null uses the deployment’s default. */
  connectionId: string | null;
  model: string;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. */
  textModel: string | null;
  voice: string;
  /** How a realtime session finds the end of what the user says, unless it is created with its own. */
  turnDetection: SemanticVad | ServerVad | NoTurnDetection;
  /** How the agent answers in a realtime session, unless it is created with its own: `audio`, with its words, or `text` alone. */
  outputModalities: readonly ('audio' | 'text')[];
  icon: string | null;
  iconColor: string | null;
  imageUrl: string | null;
  realtimeEnabled: boolean;
  tools: readonly Tool[];
  /** Names of the secrets that are set. */
  secretNames: readonly string[];
  createdAt: string;
  updatedAt: string;
  /** What the change did beside what was asked for; absent if nothing. A stored secret is dropped when the change would send it to another origin and does not bring it along. */
  warnings?: readonly Warning[];
};

/** Returned by `connections.list`, `connections.create`, `connections.get`. */
export type Connection = {
  id: string;
  name: string;
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'simulator';
  /** What an OpenAI SDK takes (https://host/v1); for azure-openai the resource’s origin. */
  baseUrl: string | null;
  /** Models that the connection offers; empty means any. */
  models: readonly string[];
  /** The connection can hold realtime sessions. */
  realtime: boolean;
  /** Off: no agent may use the connection. */
  enabled: boolean;
  /** Whether a secret is set. */
  hasSecret: boolean;
  createdAt: string;
  updatedAt: string;
};

/** Taken by `connections.create`. */
export type ConnectionInput = {
  name: string;
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'simulator';
  /** What an OpenAI SDK takes (https://host/v1); for azure-openai the resource’s origin. Default: `null`. */
  baseUrl?: string | null | undefined;
  /** Models that the connection offers; empty means any. Default: `[]`. */
  models?: readonly string[] | undefined;
  /** The connection can hold realtime sessions. Default: `true`. */
  realtime?: boolean | undefined;
  /** Off: no agent may use the connection. Default: `true`. */
  enabled?: boolean | undefined;
  /** The provider’s API key, in visible ASCII: encrypted at rest, never returned. null removes it. */
  secret?: string | null | undefined;
};

/** Taken by `connections.update`. */
export type ConnectionPatch = {
  name?: string | undefined;
  /** What an OpenAI SDK takes (https://host/v1); for azure-openai the resource’s origin. */
  baseUrl?: string | null | undefined;
  /** Models that the connection offers; empty means any. */
  models?: readonly string[] | undefined;
  /** The connection can hold realtime sessions. */
  realtime?: boolean | undefined;
  /** Off: no agent may use the connection. */
  enabled?: boolean | undefined;
  /** The provider’s API key, in visible ASCII: encrypted at rest, never returned. null removes it. */
  secret?: string | null | undefined;
};

/** Returned by `connections.update`. */
export type ChangedConnection = {
  id: string;
  name: string;
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'simulator';
  /** What an OpenAI SDK takes (https://host/v1); for azure-openai the resource’s origin. */
  baseUrl: string | null;
  /** Models that the connection offers; empty means any. */
  models: readonly string[];
  /** The connection can hold realtime sessions. */
  realtime: boolean;
  /** Off: no agent may use the connection. */
  enabled: boolean;
  /** Whether a secret is set. */
  hasSecret: boolean;
  createdAt: string;
  updatedAt: string;
  /** What the change did beside what was asked for; absent if nothing. A stored secret is dropped when the change would send it to another origin and does not bring it along. */
  warnings?: readonly Warning[];
};

/** Part of `RealtimeSessionRequest`. */
export type ClientTool = {
  /** Case-sensitive; unique in the request and among the agent’s backend tools. */
  name: string;
  description: string;
  /** JSON schema of the arguments; an empty object schema when omitted. */
  parameters?: object | undefined;
};

/** Taken by `realtimeSessions.create`. */
export type RealtimeSessionRequest = {
  /** Default: `null`. */
  conversationId?: string | null | undefined;
  /** Default: `"pcm16"`. */
  inputAudioFormat?: string | undefined;
  /** Default: `"pcm16"`. */
  outputAudioFormat?: string | undefined;
  /** The agent’s voice when omitted, alloy by default. */
  voice?: string | undefined;
  /** How the end of what the user says is found; the agent’s when omitted. `none` is push-to-talk: the client commits the sound and asks for the answer. */
  turnDetection?: SemanticVad | ServerVad | NoTurnDetection | undefined;
  /** How the agent answers: `audio`, with its words, or `text` alone; as the agent says when omitted. */
  outputModalities?: readonly ('audio' | 'text')[] | undefined;
  /** Default: `null`. */
  additionalInstructions?: string | null | undefined;
  /** Default: `[]`. */
  clientTools?: readonly ClientTool[] | undefined;
  /** Temporary files whose text the agent is given as context. Default: `[]`. */
  fileIds?: readonly string[] | undefined;
};

/** Returned by `realtimeSessions.create`. */
export type RealtimeSessionResponse = {
  /** One-time token for the WebSocket. */
  sessionId: string;
  conversationId: string;
  /** Until when the WebSocket may be opened. */
  expiresAt: string;
  /** Relative path with conversationId and sessionId in the query. */
  webSocketPath: string;
  supportedInputAudioFormats: readonly string[];
  supportedOutputAudioFormats: readonly string[];
  maxSessionSeconds: number;
  idleTimeoutSeconds: number;
  providerModelName: string;
};

/** Returned by `realtimeSessions.list`. */
export type LiveRealtimeSession = {
  /** Id of the session in the record; not its one-time token. */
  id: string;
  agentId: string;
  conversationId: string;
  startedAt: string;
};

/** Returned by `approvals.list`, `approvals.approve`, `approvals.reject`. */
export type Approval = {
  id: string;
  /** The provider’s id of the call. */
  callId: string;
  /** Whose tool it is. */
  agentId: string;
  conversationId: string;
  /** The realtime session in which the call was made. */
  sessionId: string | null;
  /** The tool. */
  name: string;
  /** What the tool is run with, exactly, if the call is approved. */
  arguments: unknown;
  /** Who may decide it: the client of the session, or this API. */
  approvers: readonly ('client' | 'api')[];
  createdAt: string;
  /** When the approval expires, unless it is decided. */
  deadline: string;
  state: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled';
  /** Who approved or rejected the call. */
  decidedBy: Record<string, unknown> | null;
  decidedAt: string | null;
};

/** Returned by `conversations.list`. */
export type Conversation = {
  id: string;
  agentId: string;
  messageCount: number;
  createdAt: string;
  updatedAt: string;
};

/** Returned by `conversations.get`. */
export type ConversationDetails = {
  id: string;
  agentId: string;
  messageCount: number;
  createdAt: string;
  updatedAt: string;
  /** What all sessions used together, per model. */
  usage: readonly ModelUsage[];
  /** Oldest first. */
  sessions: readonly ConversationSession[];
};

/** Returned by `conversations.export`. */
export type ConversationExport = {
  conversation: ConversationDetails;
  /** In spoken order, tool calls included. */
  messages: readonly Message[];
  /** Waiting or decided, in no order. */
  approvals: readonly Approval[];
  /** Those that name the conversation, in no order. */
  tasks: readonly Task[];
  /** Whose text the agent was given. */
  files: readonly ConversationFile[];
};

/** Part of `ConversationExport`. */
export type ConversationFile = {
  /** Of the temporary file, which may have expired since. */
  id: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  /** When the agent was given its text first. */
  givenAt: string;
};

/** Part of `ConversationDetails`. */
export type ConversationSession = {
  /** Id of the session in the record; not its one-time token. */
  id: string;
  startedAt: string;
  /** null while the session is open. */
  endedAt: string | null;
  /** Why the session ended. */
  endReason: string | null;
  /** What the WebSocket was closed with. */
  closeCode: number | null;
  /** What the session used, per model. */
  usage: readonly ModelUsage[];
};

/** Part of `ConversationDetails`. */
export type ModelUsage = {
  model: string;
  /** Text tokens that the model read. */
  inputTextTokens: number;
  /** Audio tokens that the model heard. */
  inputAudioTokens: number;
  /** How many of the input tokens came from the provider’s cache. */
  inputCachedTokens: number;
  /** Text tokens that the model wrote. */
  outputTextTokens: number;
  /** Audio tokens that the model spoke. */
  outputAudioTokens: number;
  /** Transcribed audio, where transcription is billed by its duration. */
  transcriptionSeconds: number;
};

/** Taken by `questions.ask`, `questions.stream`. */
export type QuestionInput = {
  question: string;
  /** A conversation with this agent that goes on; without it, a new one begins. Default: `null`. */
  conversationId?: string | null | undefined;
  /** Temporary files whose text the agent is given as context. Default: `[]`. */
  fileIds?: readonly string[] | undefined;
};

/** Part of `QuestionWaitingEvent`. */
export type QuestionAnswer = {
  conversationId: string;
  /** Of the answer in the conversation. While the status is not `completed`, the message is not there yet. */
  messageId: string;
  /** Anything but `completed` is answered with 202: the answer will stand in the conversation, and the webhook event `question.answered` tells when. */
  status: 'completed' | 'waitingForApproval' | 'inProgress';
  /** Empty until the status is `completed`. */
  answer: string;
  /** What a person has to decide before the question goes on. */
  approvals: readonly QuestionApproval[];
};

/** Returned by `questions.ask`, `questions.stream`. */
export type CompletedAnswer = {
  conversationId: string;
  /** Of the answer in the conversation. While the status is not `completed`, the message is not there yet. */
  messageId: string;
  status: 'completed';
  /** Empty until the status is `completed`. */
  answer: string;
  /** What a person has to decide before the question goes on. */
  approvals: readonly QuestionApproval[];
};

/** Returned by `questions.ask`, `questions.stream`. */
export type PendingAnswer = {
  conversationId: string;
  /** Of the answer in the conversation. While the status is not `completed`, the message is not there yet. */
  messageId: string;
  /** The answer will stand in the conversation; the webhook event `question.answered` tells when. */
  status: 'waitingForApproval' | 'inProgress';
  /** Empty until the status is `completed`. */
  answer: string;
  /** What a person has to decide before the question goes on. */
  approvals: readonly QuestionApproval[];
};

/** Part of `QuestionAnswer`. */
export type QuestionApproval = {
  id: string;
  callId: string;
  /** Of the tool. */
  name: string;
  arguments: unknown;
  deadline: string;
};

/** Returned by `conversations.listMessages`. */
export type Message = {
  id: string;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** “failed” where the words never became known: `content` is empty then. */
  status: string;
  /** When it was said, which may be long before its words were known. */
  createdAt: string;
  /** “client” for an answer that the client itself put into the conversation: the agent did not say it. Otherwise null. */
  author: 'client' | null;
  /** The provider’s id of the item. */
  itemId: string | null;
  /** The session in which it was spoken. */
  sessionId: string | null;
  /** The user cut the answer off. */
  interrupted: boolean;
  /** How much of an interrupted answer was played, in milliseconds. */
  audioEndMs: number | null;
  toolCall: {
    id: string;
    /** Whose tool it is. */
    agentId: string;
    /** The call of a sub-agent inside which this call was made. */
    parentId: string | null;
    /** The provider’s id of the call. */
    callId: string;
    name: string;
    /** What the model called the tool with. */
    arguments: unknown;
    /** 0 pending, 1 success, 2 failed, 3 waiting for approval. */
    status: number;
    /** null when the call needed none. */
    approval: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled' | null;
    /** Who approved or rejected the call. */
    decidedBy: Record<string, unknown> | null;
    decidedAt: string | null;
    /** What the tool answered; null without an answer. */
    result: unknown;
    executionTimeSeconds: number | null;
  } | null;
  /** What the transcription of the message, or the response that begins with it, used. */
  usage: {
    /** Text tokens that the model read. */
    inputTextTokens: number;
    /** Audio tokens that the model heard. */
    inputAudioTokens: number;
    /** How many of the input tokens came from the provider’s cache. */
    inputCachedTokens: number;
    /** Text tokens that the model wrote. */
    outputTextTokens: number;
    /** Audio tokens that the model spoke. */
    outputAudioTokens: number;
    /** Transcribed audio, where transcription is billed by its duration. */
    transcriptionSeconds: number;
  } | null;
};

/** Returned by `tasks.list`, `tasks.create`, `tasks.get`, `tasks.replace`, `tasks.update`, `tasks.saveByExternalId`. */
export type Task = {
  id: string;
  title: string;
  description: string;
  status: 'open' | 'inProgress' | 'done' | 'cancelled';
  dueAt: string | null;
  /** Agent that the task concerns. */
  agentId: string | null;
  /** Conversation that the task comes from; of the same agent, if one is named. Becomes null when the conversation is deleted. */
  conversationId: string | null;
  /** Id of the task in another system; unique in the organization. */
  externalId: string | null;
  /** Whatever you want to keep with the task: at most 100 entries, 16 KiB as JSON and 8 levels. A change replaces all of it. */
  metadata: Record<string, unknown>;
  /** Counts the changes; part of the ETag. */
  version: number;
  createdAt: string;
  updatedAt: string;
};

/** Taken by `tasks.create`, `tasks.replace`, `tasks.saveByExternalId`. */
export type TaskInput = {
  title: string;
  /** Default: `""`. */
  description?: string | undefined;
  /** Default: `"open"`. */
  status?: 'open' | 'inProgress' | 'done' | 'cancelled' | undefined;
  /** Default: `null`. */
  dueAt?: string | null | undefined;
  /** Agent that the task concerns. Default: `null`. */
  agentId?: string | null | undefined;
  /** Conversation that the task comes from; of the same agent, if one is named. Becomes null when the conversation is deleted. Default: `null`. */
  conversationId?: string | null | undefined;
  /** Id of the task in another system; unique in the organization. Default: `null`. */
  externalId?: string | null | undefined;
  /** Whatever you want to keep with the task: at most 100 entries, 16 KiB as JSON and 8 levels. A change replaces all of it. Default: `{}`. */
  metadata?: object | undefined;
};

/** Taken by `tasks.update`. */
export type TaskPatch = {
  title?: string | undefined;
  description?: string | undefined;
  status?: 'open' | 'inProgress' | 'done' | 'cancelled' | undefined;
  dueAt?: string | null | undefined;
  /** Agent that the task concerns. */
  agentId?: string | null | undefined;
  /** Conversation that the task comes from; of the same agent, if one is named. Becomes null when the conversation is deleted. */
  conversationId?: string | null | undefined;
  /** Id of the task in another system; unique in the organization. */
  externalId?: string | null | undefined;
  /** Whatever you want to keep with the task: at most 100 entries, 16 KiB as JSON and 8 levels. A change replaces all of it. */
  metadata?: object | undefined;
};

/** Returned by `webhooks.list`, `webhooks.get`. */
export type Webhook = {
  id: string;
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    'approval.waiting' | 'approval.decided' | 'question.answered' | 'session.ended' | 'task.changed'
  )[];
  /** Off: events that happen meanwhile are not sent. */
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
};

/** Taken by `webhooks.create`. */
export type WebhookInput = {
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    'approval.waiting' | 'approval.decided' | 'question.answered' | 'session.ended' | 'task.changed'
  )[];
  /** Off: events that happen meanwhile are not sent. Default: `true`. */
  enabled?: boolean | undefined;
};

/** Taken by `webhooks.update`. */
export type WebhookPatch = {
  /** Where events are sent as POST requests. */
  url?: string | undefined;
  /** Which events are sent. */
  events?:
    | readonly (
        | 'approval.waiting'
        | 'approval.decided'
        | 'question.answered'
        | 'session.ended'
        | 'task.changed'
      )[]
    | undefined;
  /** Off: events that happen meanwhile are not sent. */
  enabled?: boolean | undefined;
};

/** Returned by `webhooks.create`, `webhooks.replaceSecret`. */
export type WebhookWithSecret = {
  id: string;
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    'approval.waiting' | 'approval.decided' | 'question.answered' | 'session.ended' | 'task.changed'
  )[];
  /** Off: events that happen meanwhile are not sent. */
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** Signs the requests; shown here and never again. See /docs/webhooks. */
  secret: string;
};

/** Returned by `webhooks.update`. */
export type ChangedWebhook = {
  id: string;
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    'approval.waiting' | 'approval.decided' | 'question.answered' | 'session.ended' | 'task.changed'
  )[];
  /** Off: events that happen meanwhile are not sent. */
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** A new signing secret, if the change replaced it; shown here and never again. */
  secret?: string;
  /** What the change did beside what was asked for; absent if nothing. A stored secret is dropped when the change would send it to another origin and does not bring it along. */
  warnings?: readonly Warning[];
};

/** Returned by `webhooks.listDeliveries`. */
export type WebhookDelivery = {
  /** The webhook-id header of the request. */
  id: string;
  event:
    | 'approval.waiting'
    | 'approval.decided'
    | 'question.answered'
    | 'session.ended'
    | 'task.changed';
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  /** HTTP status of the last attempt; null without an answer. */
  lastStatus: number | null;
  lastError: string | null;
};

/** Returned by `audit.list`. */
export type AuditRecord = {
  /** Place in the organization’s log: no gaps, never reused. */
  sequence: number;
  occurredAt: string;
  actor: {
    /** key, administrator or system. */
    kind: string;
    /** Id of the API key. */
    id?: string;
    name: string;
  };
  action: string;
  resourceType: string;
  resourceId: string | null;
  /** The resource before the change; null where there was none. */
  before: Record<string, unknown> | null;
  /** The resource after the change, or what was done; null where nothing is left. */
  after: Record<string, unknown> | null;
  /** Hash of the record before this one. */
  previousHash: string;
  /** SHA-256 over the previous hash and this record. */
  hash: string;
};

/** Returned by `files.upload`, `files.get`. */
export type TemporaryFile = {
  id: string;
  name: string;
  /** What the content is found to be. */
  mediaType: 'text/plain' | 'text/markdown' | 'text/csv' | 'application/json' | 'application/pdf';
  sizeBytes: number;
  /** Length of the text that agents can be given of the file. */
  characters: number;
  /** Whether the file has more text than the 1000000 characters that are kept. */
  textTruncated: boolean;
  createdAt: string;
  /** When the file is deleted. */
  expiresAt: string;
};

/** Part of `ChangedAgent`. */
export type Warning = {
  code: 'secret-dropped' | 'secret-replaced';
  /** What it concerns, as a JSON pointer into the request body. */
  path: string;
  /** What happened, and what to do. */
  message: string;
};

/** What the user said is stored. */
export type MessageCreatedEvent = {
  type: 'message.created';
  data: {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
    role: 'user';
    content: string;
    createdAt: string;
  };
};

/** What the agent said is stored, under this id. */
export type ResponseIdEvent = {
  type: 'response.id';
  data: {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
  };
};

/** Storing the agent’s answer is complete. */
export type ResponseCompletedEvent = {
  type: 'response.completed';
  data: {
    /** The agent’s id. */
    chatbotId: string;
  };
};

/** A backend tool starts, or waits for approval. */
export type ResponseFunctionInvocationStartEvent = {
  type: 'response.function_invocation.start';
  data: {
    /** Of the tool’s message in the conversation. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    title: string | null;
    imageUrl: string | null;
    /** The agent’s id. */
    chatbotId: string;
    /** Parsed; the text itself where it is no JSON. */
    arguments: unknown;
    approvalRequired: boolean;
    functionName: string;
  };
};

/** A backend tool finished, failed, was rejected, timed out or was cancelled. */
export type ResponseFunctionInvocationDoneEvent = {
  type: 'response.function_invocation.done';
  data: {
    /** Of the tool’s message in the conversation. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    text: string;
    title: string | null;
    imageUrl: string | null;
    button: { label: string; link: string } | null;
    buttonLabel: string | null;
    buttonLink: string | null;
    /** The agent’s id. */
    chatbotId: string;
    /** 1 success, 2 failed. */
    status: 1 | 2;
    executionTimeSeconds: number;
  };
};

/** A call waits for a decision: approval.approve or approval.reject with its callId if `approvers` include the client, or one over REST. */
export type ApprovalWaitingEvent = {
  type: 'approval.waiting';
  data: {
    /** The provider’s id of the call. */
    callId: string;
    /** Of the tool’s message in the conversation. */
    messageId: string;
    timeoutSeconds: number;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
};

/** The call was approved, and the tool runs. */
export type ApprovalApprovedEvent = {
  type: 'approval.approved';
  data: {
    /** The provider’s id of the call. */
    callId: string;
    /** Of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
};

/** Nobody decided in time; the model is told so. */
export type ApprovalExpiredEvent = {
  type: 'approval.expired';
  data: {
    /** The provider’s id of the call. */
    callId: string;
    /** Of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
};

/** Another agent is asked. */
export type SubagentStartEvent = {
  type: 'subagent.start';
  data: {
    /** Of the agent that is asked. */
    id: string;
    name: string;
    icon: string | null;
    iconColor: string | null;
    /** The provider’s id of the call. */
    callId: string;
  };
};

/** The other agent has answered. */
export type SubagentDoneEvent = {
  type: 'subagent.done';
  data: {
    /** The agent’s id. */
    chatbotId: string;
  };
};

/** A piece of the answer, as the model says it. */
export type ResponseTextDeltaEvent = {
  type: 'response.text.delta';
  data: {
    /** The agent’s id. */
    chatbotId: string;
    delta: string;
  };
};

/** The question rests until somebody decides; the stream goes on. */
export type QuestionWaitingEvent = { type: 'question.waiting'; data: QuestionAnswer };

/** The last event: what a caller without events gets. */
export type QuestionAnsweredEvent = { type: 'question.answered'; data: QuestionAnswer };

/** The last event if there will be no answer: the problem that a caller without events gets. */
export type ErrorEvent = { type: 'error'; data: Problem };

/** One event of a streamed answer: what `data` of the server-sent event holds. */
export type AnswerEvent =
  | MessageCreatedEvent
  | ResponseIdEvent
  | ResponseCompletedEvent
  | ResponseFunctionInvocationStartEvent
  | ResponseFunctionInvocationDoneEvent
  | ApprovalWaitingEvent
  | ApprovalApprovedEvent
  | ApprovalExpiredEvent
  | SubagentStartEvent
  | SubagentDoneEvent
  | ResponseTextDeltaEvent
  | QuestionWaitingEvent
  | QuestionAnsweredEvent
  | ErrorEvent;

/** A tool call waits for a person. */
export type ApprovalWaitingWebhook = {
  type: 'approval.waiting';
  timestamp: string;
  data: {
    /** Of the approval: approve or reject it under this id. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    /** The tool. */
    name: string;
    /** Whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null where the call belongs to a question. */
    sessionId: string | null;
    /** Who may decide it: the client of the session, or the API. */
    approvers: readonly ('client' | 'api')[];
    /** When the approval expires, unless it is decided. */
    deadline: string;
  };
};

/** A waiting tool call was approved or rejected, expired, or was cancelled. */
export type ApprovalDecidedWebhook = {
  type: 'approval.decided';
  timestamp: string;
  data: {
    /** Of the approval: approve or reject it under this id. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    /** The tool. */
    name: string;
    /** Whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null where the call belongs to a question. */
    sessionId: string | null;
    /** Who may decide it: the client of the session, or the API. */
    approvers: readonly ('client' | 'api')[];
    state: 'approved' | 'rejected' | 'expired' | 'cancelled';
    /** Who approved or rejected the call; null where nobody did. */
    decidedBy: Record<string, unknown> | null;
  };
};

/** A question was answered, or failed; also one that was waiting for a person. */
export type QuestionAnsweredWebhook = {
  type: 'question.answered';
  timestamp: string;
  data: {
    agentId: string;
    conversationId: string;
    /** Of the answer in the conversation. */
    messageId: string;
    status: 'completed' | 'failed';
  };
};

/** A realtime session ended. */
export type SessionEndedWebhook = {
  type: 'session.ended';
  timestamp: string;
  data: {
    id: string;
    agentId: string;
    conversationId: string;
    startedAt: string;
    endedAt: string;
    /** The name of the close code, or what else ended it. */
    endReason: string;
    /** What the WebSocket was closed with. */
    closeCode: number;
  };
};

/** A task was created, changed or deleted, by your systems or by an agent. */
export type TaskChangedWebhook = {
  type: 'task.changed';
  timestamp: string;
  data: {
    id: string;
    change: 'created' | 'updated' | 'deleted';
    externalId: string | null;
    status: 'open' | 'inProgress' | 'done' | 'cancelled';
    version: number;
    agentId: string | null;
    conversationId: string | null;
  };
};

/** What a webhook is told of; `verifyWebhook` returns it. */
export type WebhookEvent =
  | ApprovalWaitingWebhook
  | ApprovalDecidedWebhook
  | QuestionAnsweredWebhook
  | SessionEndedWebhook
  | TaskChangedWebhook;

/** What `errorCode` of a `ParleyApiError` can be; /docs/errors tells what to do about each. */
export type ErrorCode =
  | 'key-missing'
  | 'key-invalid'
  | 'key-expired'
  | 'organization-missing'
  | 'organization-malformed'
  | 'organization-forbidden'
  | 'origin-forbidden'
  | 'scope-missing'
  | 'rate-limited'
  | 'quota-reached'
  | 'id-malformed'
  | 'query-invalid'
  | 'body-malformed'
  | 'body-invalid'
  | 'body-too-large'
  | 'media-type-unsupported'
  | 'file-type-unsupported'
  | 'request-malformed'
  | 'request-timeout'
  | 'uri-too-long'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'not-found'
  | 'model-not-found'
  | 'route-not-found'
  | 'method-not-allowed'
  | 'upgrade-required'
  | 'conflict'
  | 'precondition-malformed'
  | 'precondition-failed'
  | 'idempotency-key-malformed'
  | 'idempotency-key-reused'
  | 'idempotency-in-progress'
  | 'approval-decided'
  | 'approval-client-only'
  | 'approval-ambiguous'
  | 'provider-unavailable'
  | 'approval-pending'
  | 'answer-late'
  | 'service-unavailable'
  | 'internal'
  | 'RealtimeNotEnabled'
  | 'RealtimeUnsupportedConnection'
  | 'RealtimeUnsupportedModel'
  | 'RealtimeAudioFormatUnsupported'
  | 'RealtimeSessionInvalid'
  | 'RealtimeSessionExpired'
  | 'RealtimeSessionAlreadyUsed';

/**
 * The request that each method sends, and what becomes of its answer.
 *
 * @internal
 */
export const methods = {
  agents: {
    list: { verb: 'GET', path: '/api/v1/Agent', takes: 'query', gives: 'page' },
    create: { verb: 'POST', path: '/api/v1/Agent', takes: 'body', gives: 'json' },
    get: { verb: 'GET', path: '/api/v1/Agent/{agentId}', takes: 'nothing', gives: 'json' },
    replace: { verb: 'PUT', path: '/api/v1/Agent/{agentId}', takes: 'body', gives: 'json' },
    update: { verb: 'PATCH', path: '/api/v1/Agent/{agentId}', takes: 'body', gives: 'json' },
    delete: { verb: 'DELETE', path: '/api/v1/Agent/{agentId}', takes: 'nothing', gives: 'nothing' },
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
  files: {
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
  },
  audit: {
    list: { verb: 'GET', path: '/api/v1/AuditLog', takes: 'query', gives: 'page' },
    export: { verb: 'GET', path: '/api/v1/AuditLog/export', takes: 'query', gives: 'records' },
    exportCsv: { verb: 'GET', path: '/api/v1/AuditLog/export', takes: 'query', gives: 'text' },
  },
} as const satisfies { [Group in keyof Groups]: Record<keyof Groups[Group], Method> };
