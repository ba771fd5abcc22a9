// Generated from the contract by npm run contract; do not edit.

/** Filters of `agents.list`. */
export type ListAgentsQuery = {
  /** Only agents whose name or description contains this. */
  search?: string | undefined;
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Filters of `realtimeSessions.list`. */
export type ListRealtimeSessionsQuery = {
  /** Only sessions of this agent. */
  agentId?: string | undefined;
  /** Only sessions of this conversation. */
  conversationId?: string | undefined;
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Filters of `approvals.list`. */
export type ListApprovalsQuery = {
  /** Only approvals in this state. */
  state?: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled' | undefined;
  /** Only calls of this agent’s tools. */
  agentId?: string | undefined;
  /** Only calls in this conversation. */
  conversationId?: string | undefined;
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Filters of `conversations.list`. */
export type ListConversationsQuery = {
  /** Only the conversations of this agent. */
  agentId?: string | undefined;
  /**
   * Only those that have a message with all of these words, up to 8, matched by prefix and
   * case-insensitively.
   */
  search?: string | undefined;
  /** Only those that began at or after this time. */
  from?: string | undefined;
  /** Only those that began before this time. */
  to?: string | undefined;
  /** Only those with this outcome. */
  outcome?: 'waiting' | 'open' | 'failed' | 'completed' | undefined;
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Selects a page of a list. */
export type PageQuery = {
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Filters of `usage.get`. */
export type GetUsageQuery = {
  /**
   * Start of the range; the interval that contains it counts as a whole. By default, a day
   * before `To` for hours, or 30 days before it for days.
   */
  from?: string | undefined;
  /** End of the range, exclusive; now by default. */
  to?: string | undefined;
  /** A UTC hour or day. */
  interval?: 'hour' | 'day' | undefined;
  /** Only the usage of this agent’s conversations, including the sub-agents asked in them. */
  agentId?: string | undefined;
};

/** Filters of `tasks.list`. */
export type ListTasksQuery = {
  status?: 'open' | 'inProgress' | 'done' | 'cancelled' | undefined;
  /** Only the tasks of this agent. */
  agentId?: string | undefined;
  /** Id of the task in another system; unique in the organization. */
  externalId?: string | undefined;
  /** Only tasks that are due before this time. */
  dueBefore?: string | undefined;
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Filters of `audit.list`. */
export type ListAuditLogQuery = {
  /** Only records at or after this time. */
  from?: string | undefined;
  /** Only records before this time. */
  to?: string | undefined;
  /** Id or name of who made the change. */
  actor?: string | undefined;
  /** For example agent.updated. */
  action?: string | undefined;
  /** Number of items to skip. */
  offset?: number | undefined;
  /** Maximum number of items to return. */
  limit?: number | undefined;
};

/** Filters of `audit.export`. */
export type ExportAuditLogQuery = {
  /**
   * Only records with a higher sequence: that of the last record you have, to resume after
   * an interruption, or Audit-Through of your last export.
   */
  after?: number | undefined;
  /** Only records at or after this time. */
  from?: string | undefined;
  /** Only records before this time. */
  to?: string | undefined;
  /** Id or name of who made the change. */
  actor?: string | undefined;
  /** For example agent.updated. */
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
  /** The quota that was reached. */
  quota?: 'realtimeSessions' | 'questions' | 'fileBytes' | 'tokensPerDay' | 'mcpServersPerAgent';
};

/** Part of `Tool`. */
export type HttpTool = {
  kind: 'http';
  /** Unique among the agent’s tools. */
  name: string;
  description: string;
  /**
   * JSON schema of the arguments: an object schema, limited in size and depth. Arguments
   * that are not named in `properties`, at any depth, are not sent; set
   * `additionalProperties` to `true` or to a schema to allow more. A query parameter that
   * `url` fixes cannot be changed.
   */
  parameters?: Record<string, unknown>;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** URL template: {{name}} inserts an argument, except in the host. */
  url: string;
  headers?: Record<string, string>;
  /** Body template: {{name}} and {{secret:NAME}}. */
  body?: string;
  /** Names of the agent’s secrets that the templates use. */
  secretRefs?: readonly string[];
  /** A person must approve each call before it runs. Default: `false`. */
  approvalRequired?: boolean;
  /**
   * Who may decide a call that needs approval: `client` on the session’s own socket, `api`
   * over REST; both when omitted. With only `client`, a question cannot use the tool,
   * because it has no socket.
   */
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
  /**
   * Who may decide a call that needs approval: `client` on the session’s own socket, `api`
   * over REST; both when omitted. With only `client`, a question cannot use the tool,
   * because it has no socket.
   */
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
  /**
   * Who may decide a call that needs approval: `client` on the session’s own socket, `api`
   * over REST; both when omitted. With only `client`, a question cannot use the tool,
   * because it has no socket.
   */
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
  /**
   * Who may decide a call that needs approval: `client` on the session’s own socket, `api`
   * over REST; both when omitted. With only `client`, a question cannot use the tool,
   * because it has no socket.
   */
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
  /** How quickly the user is considered to have finished. */
  eagerness?: 'low' | 'medium' | 'high' | 'auto';
  /** Whether the agent answers automatically; true when omitted. */
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
  /** Silence after which the agent speaks up. */
  idleTimeoutMs?: number;
  /** Whether the agent answers automatically; true when omitted. */
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
  /**
   * Provider connections that realtime sessions use when the agent’s own cannot be reached
   * or fails, in the order in which they are tried. Disabled connections, those without
   * realtime, and those that do not offer the model are skipped.
   */
  fallbackConnectionIds: readonly string[];
  model: string;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. */
  textModel: string | null;
  voice: string;
  /**
   * How a realtime session detects the end of the user’s speech, unless specified when the
   * session is created.
   */
  turnDetection: SemanticVad | ServerVad | NoTurnDetection;
  /**
   * How the agent answers in a realtime session, unless specified when the session is
   * created: `audio` with a transcript, or only `text`.
   */
  outputModalities: readonly ('audio' | 'text')[];
  icon: string | null;
  iconColor: string | null;
  imageUrl: string | null;
  realtimeEnabled: boolean;
  tools: readonly Tool[];
  /** Names of the stored secrets. */
  secretNames: readonly string[];
  /** Counts the changes; part of the ETag. */
  version: number;
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
  /**
   * Provider connections that realtime sessions use when the agent’s own cannot be reached
   * or fails, in the order in which they are tried. Disabled connections, those without
   * realtime, and those that do not offer the model are skipped. Default: `[]`.
   */
  fallbackConnectionIds?: readonly string[] | undefined;
  /**
   * Realtime model; null or omitted follows the deployment’s REALTIME_MODEL. An agent shows
   * the model that it uses: sending that back does not stop it from following. Default:
   * `null`.
   */
  model?: string | null | undefined;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. Default: `null`. */
  textModel?: string | null | undefined;
  /** Default: `"alloy"`. */
  voice?: string | undefined;
  /**
   * How a realtime session detects the end of the user’s speech, unless specified when the
   * session is created. Default: `{"type":"semantic_vad"}`.
   */
  turnDetection?: SemanticVad | ServerVad | NoTurnDetection | undefined;
  /**
   * How the agent answers in a realtime session, unless specified when the session is
   * created: `audio` with a transcript, or only `text`. Default: `["audio"]`.
   */
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
  /**
   * Values for {{secret:NAME}}, encrypted at rest and never returned; an agent stores up to
   * 32. null removes one; secrets that are not named are kept, unless a change of a tool
   * would send them to another origin.
   */
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
  /**
   * Provider connections that realtime sessions use when the agent’s own cannot be reached
   * or fails, in the order in which they are tried. Disabled connections, those without
   * realtime, and those that do not offer the model are skipped.
   */
  fallbackConnectionIds?: readonly string[] | undefined;
  /**
   * Realtime model; null or omitted follows the deployment’s REALTIME_MODEL. An agent shows
   * the model that it uses: sending that back does not stop it from following.
   */
  model?: string | null | undefined;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. */
  textModel?: string | null | undefined;
  voice?: string | undefined;
  /**
   * How a realtime session detects the end of the user’s speech, unless specified when the
   * session is created.
   */
  turnDetection?: SemanticVad | ServerVad | NoTurnDetection | undefined;
  /**
   * How the agent answers in a realtime session, unless specified when the session is
   * created: `audio` with a transcript, or only `text`.
   */
  outputModalities?: readonly ('audio' | 'text')[] | undefined;
  icon?: string | null | undefined;
  iconColor?: string | null | undefined;
  imageUrl?: string | null | undefined;
  realtimeEnabled?: boolean | undefined;
  tools?: readonly Tool[] | undefined;
  /**
   * Values for {{secret:NAME}}, encrypted at rest and never returned; an agent stores up to
   * 32. null removes one; secrets that are not named are kept, unless a change of a tool
   * would send them to another origin.
   */
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
  /**
   * Provider connections that realtime sessions use when the agent’s own cannot be reached
   * or fails, in the order in which they are tried. Disabled connections, those without
   * realtime, and those that do not offer the model are skipped.
   */
  fallbackConnectionIds: readonly string[];
  model: string;
  /** Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL. */
  textModel: string | null;
  voice: string;
  /**
   * How a realtime session detects the end of the user’s speech, unless specified when the
   * session is created.
   */
  turnDetection: SemanticVad | ServerVad | NoTurnDetection;
  /**
   * How the agent answers in a realtime session, unless specified when the session is
   * created: `audio` with a transcript, or only `text`.
   */
  outputModalities: readonly ('audio' | 'text')[];
  icon: string | null;
  iconColor: string | null;
  imageUrl: string | null;
  realtimeEnabled: boolean;
  tools: readonly Tool[];
  /** Names of the stored secrets. */
  secretNames: readonly string[];
  /** Counts the changes; part of the ETag. */
  version: number;
  createdAt: string;
  updatedAt: string;
  /**
   * Side effects of the change; absent if there are none. A stored secret is dropped when
   * the change would send it to another origin and does not include it.
   */
  warnings?: readonly Warning[];
};

/** Taken by `agents.tryTool`. */
export type ToolTrialInput = {
  /** The arguments to call the tool with, as the model would send them. Default: `{}`. */
  arguments?: object | undefined;
};

/** Returned by `agents.tryTool`. */
export type ToolTrial = {
  /**
   * The request of an HTTP tool, or the one that called the tool of an MCP server; null for
   * built-in tools and if nothing was sent.
   */
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    /** Truncated if it is long. */
    body: string | null;
  } | null;
  result: {
    /** `refused`: the arguments do not match the tool’s parameters, and it did not run. */
    status: 'succeeded' | 'failed' | 'refused' | 'timedOut';
    /** What the model would read. */
    output: string;
  };
  durationMs: number;
};

/** Returned by `agents.listServerTools`. */
export type ServerTools = {
  /** Every tool that the server lists, up to 256, in its order. */
  tools: readonly {
    /** As the server calls it: what `allowedTools` names. */
    name: string;
    /** As the model calls it. */
    calledAs: string;
    title: string | null;
    /** What the model reads; cut off where it is long. */
    description: string;
    /** The JSON Schema of its arguments. */
    parameters: Record<string, unknown>;
    /** Whether the agent may use it. */
    allowed: boolean;
    approvalRequired: boolean;
  }[];
  /**
   * Why tools are missing: the server did not answer, lists too many, or describes one that
   * cannot be called.
   */
  problems: readonly string[];
};

/** Returned by `connections.list`, `connections.create`, `connections.get`. */
export type Connection = {
  id: string;
  name: string;
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'simulator';
  /**
   * Base URL as an OpenAI SDK expects it (https://host/v1); for azure-openai, the resource’s
   * origin.
   */
  baseUrl: string | null;
  /** Models that the connection offers; empty means any. */
  models: readonly string[];
  /** Whether the connection supports realtime sessions. */
  realtime: boolean;
  /** If false, no agent can use the connection. */
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
  /**
   * Base URL as an OpenAI SDK expects it (https://host/v1); for azure-openai, the resource’s
   * origin. Default: `null`.
   */
  baseUrl?: string | null | undefined;
  /** Models that the connection offers; empty means any. Default: `[]`. */
  models?: readonly string[] | undefined;
  /** Whether the connection supports realtime sessions. Default: `true`. */
  realtime?: boolean | undefined;
  /** If false, no agent can use the connection. Default: `true`. */
  enabled?: boolean | undefined;
  /**
   * The provider’s API key, in visible ASCII: encrypted at rest, never returned. null
   * removes it.
   */
  secret?: string | null | undefined;
};

/** Taken by `connections.update`. */
export type ConnectionPatch = {
  name?: string | undefined;
  /**
   * Base URL as an OpenAI SDK expects it (https://host/v1); for azure-openai, the resource’s
   * origin.
   */
  baseUrl?: string | null | undefined;
  /** Models that the connection offers; empty means any. */
  models?: readonly string[] | undefined;
  /** Whether the connection supports realtime sessions. */
  realtime?: boolean | undefined;
  /** If false, no agent can use the connection. */
  enabled?: boolean | undefined;
  /**
   * The provider’s API key, in visible ASCII: encrypted at rest, never returned. null
   * removes it.
   */
  secret?: string | null | undefined;
};

/** Returned by `connections.update`. */
export type ChangedConnection = {
  id: string;
  name: string;
  kind: 'openai' | 'azure-openai' | 'openai-compatible' | 'simulator';
  /**
   * Base URL as an OpenAI SDK expects it (https://host/v1); for azure-openai, the resource’s
   * origin.
   */
  baseUrl: string | null;
  /** Models that the connection offers; empty means any. */
  models: readonly string[];
  /** Whether the connection supports realtime sessions. */
  realtime: boolean;
  /** If false, no agent can use the connection. */
  enabled: boolean;
  /** Whether a secret is set. */
  hasSecret: boolean;
  createdAt: string;
  updatedAt: string;
  /**
   * Side effects of the change; absent if there are none. A stored secret is dropped when
   * the change would send it to another origin and does not include it.
   */
  warnings?: readonly Warning[];
};

/** Returned by `connections.test`. */
export type ConnectionTest = {
  /** Whether the provider accepted the connection. */
  ok: boolean;
  /** The result, in the provider’s own words if available. */
  detail: string;
  durationMs: number;
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
  /**
   * How the end of the user’s speech is detected; the agent’s setting when omitted. `none`
   * is push-to-talk: the client commits the audio and requests the response.
   */
  turnDetection?: SemanticVad | ServerVad | NoTurnDetection | undefined;
  /**
   * How the agent answers: `audio` with a transcript, or only `text`; the agent’s setting
   * when omitted.
   */
  outputModalities?: readonly ('audio' | 'text')[] | undefined;
  /** Default: `null`. */
  additionalInstructions?: string | null | undefined;
  /** Default: `[]`. */
  clientTools?: readonly ClientTool[] | undefined;
  /** Temporary files whose text the agent gets as context. Default: `[]`. */
  fileIds?: readonly string[] | undefined;
  /**
   * Whether the session outlives its connection: the client can reconnect within
   * `resumeGraceSeconds`, and nothing is lost or repeated. Default: `false`.
   */
  resumable?: boolean | undefined;
};

/** Returned by `realtimeSessions.create`. */
export type RealtimeSessionResponse = {
  /** One-time token for the WebSocket. */
  sessionId: string;
  conversationId: string;
  /** When the token expires; open the WebSocket before then. */
  expiresAt: string;
  /** Relative path with conversationId and sessionId in the query. */
  webSocketPath: string;
  supportedInputAudioFormats: readonly string[];
  supportedOutputAudioFormats: readonly string[];
  maxSessionSeconds: number;
  idleTimeoutSeconds: number;
  providerModelName: string;
  /**
   * How long a resumable session waits for its client to reconnect; absent if the session is
   * not resumable.
   */
  resumeGraceSeconds?: number;
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
  /** The provider’s call id. */
  callId: string;
  /** The agent whose tool it is. */
  agentId: string;
  conversationId: string;
  /** The realtime session in which the call was made. */
  sessionId: string | null;
  /** The tool. */
  name: string;
  /** The exact arguments that the tool runs with if the call is approved. */
  arguments: unknown;
  /** Who may decide it: the client of the session, or this API. */
  approvers: readonly ('client' | 'api')[];
  createdAt: string;
  /** When the approval expires if nobody decides. */
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
  /**
   * The first that applies: `waiting`, a tool call waits for approval; `open`, a session or
   * a question is in progress; `failed`, the service, the provider or a lost instance ended
   * a session of it, or a question got no answer; else `completed`.
   */
  outcome: 'waiting' | 'open' | 'failed' | 'completed';
  createdAt: string;
  updatedAt: string;
};

/** Returned by `conversations.get`. */
export type ConversationDetails = {
  id: string;
  agentId: string;
  messageCount: number;
  /**
   * The first that applies: `waiting`, a tool call waits for approval; `open`, a session or
   * a question is in progress; `failed`, the service, the provider or a lost instance ended
   * a session of it, or a question got no answer; else `completed`.
   */
  outcome: 'waiting' | 'open' | 'failed' | 'completed';
  createdAt: string;
  updatedAt: string;
  /** Total usage of all sessions, per model. */
  usage: readonly ModelUsage[];
  /** Oldest first. */
  sessions: readonly ConversationSession[];
};

/** Returned by `conversations.export`. */
export type ConversationExport = {
  conversation: ConversationDetails;
  /** In spoken order, including tool calls. */
  messages: readonly Message[];
  /** Waiting or decided, in no particular order. */
  approvals: readonly Approval[];
  /** Those that reference the conversation, in no particular order. */
  tasks: readonly Task[];
  /** Files whose text the agent got. */
  files: readonly ConversationFile[];
};

/** Part of `ConversationExport`. */
export type ConversationFile = {
  /** Id of the temporary file, which may have expired since. */
  id: string;
  name: string;
  mediaType: string;
  sizeBytes: number;
  /** When the agent first got its text. */
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
  /** Close code of the WebSocket. */
  closeCode: number | null;
  /** Usage of the session, per model. */
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
  /** Transcribed audio, if transcription is billed by duration. */
  transcriptionSeconds: number;
};

/** Returned by `usage.get`. */
export type UsageReport = {
  /** Every interval of the range, oldest first, including those without usage. */
  items: readonly UsageInterval[];
  /** The organization’s quotas and their current usage. */
  quotas: readonly QuotaUse[];
};

/** Part of `UsageReport`. */
export type UsageInterval = {
  /** Start of the interval, in UTC. */
  from: string;
  /** Realtime sessions that began in it. */
  sessions: number;
  /** Total duration of these sessions, in minutes; open sessions count until now. */
  minutes: number;
  /** Tokens that models read, text and audio, cached ones included. */
  tokensIn: number;
  /** Tokens that models wrote or spoke. */
  tokensOut: number;
  /** Tool calls that models made in it. */
  toolCalls: number;
  /** Outcomes of the calls that needed approval. */
  approvals: {
    /** Approved by a person. */
    approved: number;
    /** Rejected by a person. */
    rejected: number;
    /** Nobody decided in time. */
    expired: number;
    /** Not asked any more, for example since the session was over. */
    cancelled: number;
  };
  /**
   * Sessions that the service, the provider or a lost instance ended, questions without an
   * answer, and tool calls whose tool ran and failed.
   */
  errors: number;
};

/** Part of `UsageReport`. */
export type QuotaUse = {
  name: 'realtimeSessions' | 'questions' | 'fileBytes' | 'tokensPerDay' | 'mcpServersPerAgent';
  limit: number;
  /** Usage now, or today in UTC; null if it is not counted for the organization. */
  used: number | null;
};

/** Taken by `questions.ask`, `questions.stream`. */
export type QuestionInput = {
  question: string;
  /**
   * A conversation with this agent to continue; without it, a new one starts. Default:
   * `null`.
   */
  conversationId?: string | null | undefined;
  /** Temporary files whose text the agent gets as context. Default: `[]`. */
  fileIds?: readonly string[] | undefined;
};

/** Part of `QuestionWaitingEvent`. */
export type QuestionAnswer = {
  conversationId: string;
  /**
   * Id of the answer in the conversation. The message does not exist until the status is
   * `completed`.
   */
  messageId: string;
  /**
   * Anything but `completed` comes with 202: the answer will be added to the conversation,
   * and the webhook event `question.answered` announces it.
   */
  status: 'completed' | 'waitingForApproval' | 'inProgress';
  /** Empty until the status is `completed`. */
  answer: string;
  /** What a person has to decide before the question continues. */
  approvals: readonly QuestionApproval[];
};

/** Returned by `questions.ask`, `questions.stream`. */
export type CompletedAnswer = {
  conversationId: string;
  /**
   * Id of the answer in the conversation. The message does not exist until the status is
   * `completed`.
   */
  messageId: string;
  status: 'completed';
  /** Empty until the status is `completed`. */
  answer: string;
  /** What a person has to decide before the question continues. */
  approvals: readonly QuestionApproval[];
};

/** Returned by `questions.ask`, `questions.stream`. */
export type PendingAnswer = {
  conversationId: string;
  /**
   * Id of the answer in the conversation. The message does not exist until the status is
   * `completed`.
   */
  messageId: string;
  /**
   * The answer will be added to the conversation; the webhook event `question.answered`
   * announces it.
   */
  status: 'waitingForApproval' | 'inProgress';
  /** Empty until the status is `completed`. */
  answer: string;
  /** What a person has to decide before the question continues. */
  approvals: readonly QuestionApproval[];
};

/** Part of `QuestionAnswer`. */
export type QuestionApproval = {
  id: string;
  callId: string;
  /** Name of the tool. */
  name: string;
  arguments: unknown;
  deadline: string;
};

/** Returned by `conversations.listMessages`. */
export type Message = {
  id: string;
  role: 'user' | 'assistant' | 'tool';
  content: string;
  /** “failed” if the text never became known; `content` is then empty. */
  status: string;
  /** When it was said, which may be long before its text was known. */
  createdAt: string;
  /**
   * “client” for an answer that the client itself added to the conversation: the agent did
   * not say it. Otherwise null.
   */
  author: 'client' | null;
  /** The provider’s item id. */
  itemId: string | null;
  /** The session in which it was said. */
  sessionId: string | null;
  /** Whether the user interrupted the answer. */
  interrupted: boolean;
  /** How much of an interrupted answer was played, in milliseconds. */
  audioEndMs: number | null;
  toolCall: {
    id: string;
    /** The agent whose tool it is. */
    agentId: string;
    /** The sub-agent call within which this call was made. */
    parentId: string | null;
    /** The provider’s call id. */
    callId: string;
    name: string;
    /** The arguments of the call. */
    arguments: unknown;
    /** 0 pending, 1 success, 2 failed, 3 waiting for approval. */
    status: number;
    /** null if the call needed no approval. */
    approval: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled' | null;
    /** Who approved or rejected the call. */
    decidedBy: Record<string, unknown> | null;
    decidedAt: string | null;
    /** The tool’s result; null if there is none. */
    result: unknown;
    executionTimeSeconds: number | null;
  } | null;
  /** Usage of the message’s transcription, or of the response that begins with it. */
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
    /** Transcribed audio, if transcription is billed by duration. */
    transcriptionSeconds: number;
  } | null;
};

/**
 * Returned by `tasks.list`, `tasks.create`, `tasks.get`, `tasks.replace`, `tasks.update`,
 * `tasks.saveByExternalId`.
 */
export type Task = {
  id: string;
  title: string;
  description: string;
  status: 'open' | 'inProgress' | 'done' | 'cancelled';
  dueAt: string | null;
  /** Agent that the task belongs to. */
  agentId: string | null;
  /**
   * Conversation that the task comes from; it must be with the same agent, if one is named.
   * Becomes null when the conversation is deleted.
   */
  conversationId: string | null;
  /** Id of the task in another system; unique in the organization. */
  externalId: string | null;
  /**
   * Anything you want to store with the task: at most 100 entries, 16 KiB as JSON and 8
   * levels. A change replaces all of it.
   */
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
  /** Agent that the task belongs to. Default: `null`. */
  agentId?: string | null | undefined;
  /**
   * Conversation that the task comes from; it must be with the same agent, if one is named.
   * Becomes null when the conversation is deleted. Default: `null`.
   */
  conversationId?: string | null | undefined;
  /** Id of the task in another system; unique in the organization. Default: `null`. */
  externalId?: string | null | undefined;
  /**
   * Anything you want to store with the task: at most 100 entries, 16 KiB as JSON and 8
   * levels. A change replaces all of it. Default: `{}`.
   */
  metadata?: object | undefined;
};

/** Taken by `tasks.update`. */
export type TaskPatch = {
  title?: string | undefined;
  description?: string | undefined;
  status?: 'open' | 'inProgress' | 'done' | 'cancelled' | undefined;
  dueAt?: string | null | undefined;
  /** Agent that the task belongs to. */
  agentId?: string | null | undefined;
  /**
   * Conversation that the task comes from; it must be with the same agent, if one is named.
   * Becomes null when the conversation is deleted.
   */
  conversationId?: string | null | undefined;
  /** Id of the task in another system; unique in the organization. */
  externalId?: string | null | undefined;
  /**
   * Anything you want to store with the task: at most 100 entries, 16 KiB as JSON and 8
   * levels. A change replaces all of it.
   */
  metadata?: object | undefined;
};

/** Returned by `webhooks.list`, `webhooks.get`. */
export type Webhook = {
  id: string;
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    | 'approval.waiting'
    | 'approval.decided'
    | 'question.answered'
    | 'session.ended'
    | 'task.changed'
  )[];
  /** If false, events are not sent, and not sent later either. */
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
    | 'approval.waiting'
    | 'approval.decided'
    | 'question.answered'
    | 'session.ended'
    | 'task.changed'
  )[];
  /** If false, events are not sent, and not sent later either. Default: `true`. */
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
  /** If false, events are not sent, and not sent later either. */
  enabled?: boolean | undefined;
};

/** Returned by `webhooks.create`, `webhooks.replaceSecret`. */
export type WebhookWithSecret = {
  id: string;
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    | 'approval.waiting'
    | 'approval.decided'
    | 'question.answered'
    | 'session.ended'
    | 'task.changed'
  )[];
  /** If false, events are not sent, and not sent later either. */
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** Signs the requests; shown only once. See /docs/webhooks. */
  secret: string;
};

/** Returned by `webhooks.update`. */
export type ChangedWebhook = {
  id: string;
  /** Where events are sent as POST requests. */
  url: string;
  /** Which events are sent. */
  events: readonly (
    | 'approval.waiting'
    | 'approval.decided'
    | 'question.answered'
    | 'session.ended'
    | 'task.changed'
  )[];
  /** If false, events are not sent, and not sent later either. */
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
  /** A new signing secret, if the change replaced it; shown only once. */
  secret?: string;
  /**
   * Side effects of the change; absent if there are none. A stored secret is dropped when
   * the change would send it to another origin and does not include it.
   */
  warnings?: readonly Warning[];
};

/** Returned by `webhooks.listDeliveries`, `webhooks.redeliver`. */
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
  /** HTTP status of the last attempt; null if there was no response. */
  lastStatus: number | null;
  lastError: string | null;
};

/** Returned by `audit.list`. */
export type AuditRecord = {
  /** Position in the organization’s log: no gaps, never reused. */
  sequence: number;
  occurredAt: string;
  actor: {
    /** key, user, session, agent, administrator or system. */
    kind: string;
    /** Id of the API key, the user, the session or the agent. */
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

/** Returned by `audit.verify`. */
export type AuditVerification = {
  /** Whether every record is unchanged and in its position. */
  intact: boolean;
  /** Number of intact records, counted from the first. */
  records: number;
  /** Sequence of the first record that was tampered with; null if there is none. */
  brokenAt: number | null;
  /** What is wrong with it. */
  reason: string | null;
  checkedAt: string;
};

/** Returned by `files.list`, `files.upload`, `files.get`. */
export type TemporaryFile = {
  id: string;
  name: string;
  /** The type detected from the content. */
  mediaType: 'text/plain' | 'text/markdown' | 'text/csv' | 'application/json' | 'application/pdf';
  sizeBytes: number;
  /** Length of the file’s text that agents can read. */
  characters: number;
  /** Whether the file has more text than the 1000000 characters that are stored. */
  textTruncated: boolean;
  createdAt: string;
  /** When the file is deleted. */
  expiresAt: string;
};

/** Returned by `apiKeys.list`, `apiKeys.update`. */
export type ApiKey = {
  id: string;
  name: string;
  /** The beginning and the end of the key. */
  masked: string;
  scopes: readonly (
    | 'agents'
    | 'connections'
    | 'realtime'
    | 'questions'
    | 'conversations'
    | 'tasks'
    | 'files'
    | 'approvals'
    | 'webhooks'
    | 'audit'
    | 'admin'
  )[];
  createdAt: string;
  expiresAt: string | null;
  /** Accurate to the minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
};

/** Taken by `apiKeys.create`. */
export type ApiKeyInput = {
  /** What the key is for. */
  name: string;
  /**
   * What the key may do. A key cannot grant a scope that it lacks. Default:
   * `["agents","connections","realtime","questions","conversations","tasks","files","approvals","webhooks","audit"]`.
   */
  scopes?:
    | readonly (
        | 'agents'
        | 'connections'
        | 'realtime'
        | 'questions'
        | 'conversations'
        | 'tasks'
        | 'files'
        | 'approvals'
        | 'webhooks'
        | 'audit'
        | 'admin'
      )[]
    | undefined;
  /** null if it does not expire. Default: `null`. */
  expiresAt?: string | null | undefined;
};

/** Taken by `apiKeys.update`. */
export type ApiKeyPatch = {
  /** What the key is for. */
  name?: string | undefined;
  /** What the key may do. A key cannot grant a scope that it lacks. */
  scopes?:
    | readonly (
        | 'agents'
        | 'connections'
        | 'realtime'
        | 'questions'
        | 'conversations'
        | 'tasks'
        | 'files'
        | 'approvals'
        | 'webhooks'
        | 'audit'
        | 'admin'
      )[]
    | undefined;
  /** null if it does not expire. */
  expiresAt?: string | null | undefined;
};

/** Returned by `apiKeys.create`. */
export type NewApiKey = {
  id: string;
  name: string;
  /** The beginning and the end of the key. */
  masked: string;
  scopes: readonly (
    | 'agents'
    | 'connections'
    | 'realtime'
    | 'questions'
    | 'conversations'
    | 'tasks'
    | 'files'
    | 'approvals'
    | 'webhooks'
    | 'audit'
    | 'admin'
  )[];
  createdAt: string;
  expiresAt: string | null;
  /** Accurate to the minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The key itself, shown only once. */
  apiKey: string;
};

/** Returned by `members.createSignInLink`. */
export type SignInLink = {
  /**
   * Signs the member in once, to this organization. Append it to the address of the
   * deployment, and pass it on.
   */
  signInPath: string;
  expiresAt: string;
};

/** Returned by `members.list`, `members.changeRole`. */
export type Member = {
  /** Id of the membership. */
  id: string;
  /** Id of the account, as in the audit log. */
  userId: string;
  email: string;
  name: string;
  role: 'viewer' | 'approver' | 'editor' | 'owner';
  createdAt: string;
};

/** Taken by `members.add`. */
export type MemberInput = {
  /** Email address of an existing account, or of a new one. */
  email: string;
  /** Name of a new account; an existing account keeps its name. Default: `""`. */
  name?: string | undefined;
  /** What they may do in the organization. */
  role: 'viewer' | 'approver' | 'editor' | 'owner';
};

/** Taken by `members.changeRole`. */
export type MemberPatch = {
  /** What they may do in the organization. */
  role: 'viewer' | 'approver' | 'editor' | 'owner';
};

/** Returned by `members.add`. */
export type NewMember = {
  /** Id of the membership. */
  id: string;
  /** Id of the account, as in the audit log. */
  userId: string;
  email: string;
  name: string;
  role: 'viewer' | 'approver' | 'editor' | 'owner';
  createdAt: string;
  signInLink: SignInLink;
};

/** Part of `ChangedAgent`. */
export type Warning = {
  code: 'secret-dropped' | 'secret-replaced';
  /** The field concerned, as a JSON pointer into the request body. */
  path: string;
  /** What happened, and what to do. */
  message: string;
};

/** A message of the user was stored. */
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

/** A message of the agent was stored, under this id. */
export type ResponseIdEvent = {
  type: 'response.id';
  data: {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
  };
};

/** The agent’s answer is completely stored. */
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
    /** Id of the tool’s message in the conversation. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    title: string | null;
    imageUrl: string | null;
    /** The agent’s id. */
    chatbotId: string;
    /** Parsed; the raw text if it is not JSON. */
    arguments: unknown;
    approvalRequired: boolean;
    functionName: string;
  };
};

/** A backend tool finished, failed, was rejected, timed out or was cancelled. */
export type ResponseFunctionInvocationDoneEvent = {
  type: 'response.function_invocation.done';
  data: {
    /** Id of the tool’s message in the conversation. */
    id: string;
    /** The provider’s call id. */
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

/**
 * A call is waiting for a decision: approval.approve or approval.reject with its callId if
 * `approvers` includes the client, or over REST.
 */
export type ApprovalWaitingEvent = {
  type: 'approval.waiting';
  data: {
    /** The provider’s call id. */
    callId: string;
    /** Id of the tool’s message in the conversation. */
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
    /** The provider’s call id. */
    callId: string;
    /** Id of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
};

/** Nobody decided in time; the model is told. */
export type ApprovalExpiredEvent = {
  type: 'approval.expired';
  data: {
    /** The provider’s call id. */
    callId: string;
    /** Id of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
};

/** A sub-agent is asked. */
export type SubagentStartEvent = {
  type: 'subagent.start';
  data: {
    /** Id of the sub-agent. */
    id: string;
    name: string;
    icon: string | null;
    iconColor: string | null;
    /** The provider’s call id. */
    callId: string;
  };
};

/** The sub-agent has answered. */
export type SubagentDoneEvent = {
  type: 'subagent.done';
  data: {
    /** The agent’s id. */
    chatbotId: string;
  };
};

/** A piece of the answer, as the model generates it. */
export type ResponseTextDeltaEvent = {
  type: 'response.text.delta';
  data: {
    /** The agent’s id. */
    chatbotId: string;
    delta: string;
  };
};

/** The question is suspended until somebody decides; the stream stays open. */
export type QuestionWaitingEvent = { type: 'question.waiting'; data: QuestionAnswer };

/** The last event: the response that a caller without streaming gets. */
export type QuestionAnsweredEvent = { type: 'question.answered'; data: QuestionAnswer };

/** The last event if there is no answer: the problem that a caller without streaming gets. */
export type ErrorEvent = { type: 'error'; data: Problem };

/** One event of a streamed answer: the content of `data` in the server-sent event. */
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

/** A tool call is waiting for approval. */
export type ApprovalWaitingHint = {
  type: 'approval.waiting';
  timestamp: string;
  data: {
    /** Id of the approval: approve or reject it with this id. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    /** The agent whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null if the call belongs to a question. */
    sessionId: string | null;
  };
};

/** A waiting tool call was approved or rejected, expired, or was cancelled. */
export type ApprovalDecidedHint = {
  type: 'approval.decided';
  timestamp: string;
  data: {
    /** Id of the approval: approve or reject it with this id. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    /** The agent whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null if the call belongs to a question. */
    sessionId: string | null;
    state: 'approved' | 'rejected' | 'expired' | 'cancelled';
  };
};

/** A realtime session was admitted. */
export type SessionStartedHint = {
  type: 'session.started';
  timestamp: string;
  data: { id: string; agentId: string; conversationId: string };
};

/** A realtime session ended, or its instance was lost. */
export type SessionEndedHint = {
  type: 'session.ended';
  timestamp: string;
  data: { id: string; agentId: string; conversationId: string };
};

/**
 * A message was added to a conversation: something said, typed or answered, or a tool
 * call.
 */
export type MessageCreatedHint = {
  type: 'message.created';
  timestamp: string;
  data: {
    id: string;
    conversationId: string;
    /** null if it belongs to a question. */
    sessionId: string | null;
    role: 'user' | 'assistant' | 'tool';
  };
};

/** A question was answered or failed, including questions that were waiting for approval. */
export type QuestionAnsweredHint = {
  type: 'question.answered';
  timestamp: string;
  data: {
    agentId: string;
    conversationId: string;
    /** Id of the answer in the conversation. */
    messageId: string;
    status: 'completed' | 'failed';
  };
};

/** A task was created, changed or deleted, by your systems or by an agent. */
export type TaskChangedHint = {
  type: 'task.changed';
  timestamp: string;
  data: {
    id: string;
    change: 'created' | 'updated' | 'deleted';
    agentId: string | null;
    conversationId: string | null;
  };
};

/** Events may have been missed: read everything that you show again. */
export type ResyncHint = { type: 'resync'; timestamp: string; data: Record<string, unknown> };

/** One event of an organization: the content of `data` in the server-sent event. */
export type OrganizationEvent =
  | ApprovalWaitingHint
  | ApprovalDecidedHint
  | SessionStartedHint
  | SessionEndedHint
  | MessageCreatedHint
  | QuestionAnsweredHint
  | TaskChangedHint
  | ResyncHint;

/** A tool call is waiting for approval. */
export type ApprovalWaitingWebhook = {
  type: 'approval.waiting';
  timestamp: string;
  data: {
    /** Id of the approval: approve or reject it with this id. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    /** The tool. */
    name: string;
    /** The agent whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null if the call belongs to a question. */
    sessionId: string | null;
    /** Who may decide it: the client of the session, or the API. */
    approvers: readonly ('client' | 'api')[];
    /** When the approval expires if nobody decides. */
    deadline: string;
  };
};

/** A waiting tool call was approved or rejected, expired, or was cancelled. */
export type ApprovalDecidedWebhook = {
  type: 'approval.decided';
  timestamp: string;
  data: {
    /** Id of the approval: approve or reject it with this id. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    /** The tool. */
    name: string;
    /** The agent whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null if the call belongs to a question. */
    sessionId: string | null;
    /** Who may decide it: the client of the session, or the API. */
    approvers: readonly ('client' | 'api')[];
    state: 'approved' | 'rejected' | 'expired' | 'cancelled';
    /** Who approved or rejected the call; null if nobody did. */
    decidedBy: Record<string, unknown> | null;
  };
};

/** A question was answered or failed, including questions that were waiting for approval. */
export type QuestionAnsweredWebhook = {
  type: 'question.answered';
  timestamp: string;
  data: {
    agentId: string;
    conversationId: string;
    /** Id of the answer in the conversation. */
    messageId: string;
    status: 'completed' | 'failed';
  };
};

/** A realtime session ended, or its instance was lost. */
export type SessionEndedWebhook = {
  type: 'session.ended';
  timestamp: string;
  data: {
    id: string;
    agentId: string;
    conversationId: string;
    startedAt: string;
    endedAt: string;
    /** The name of the close code, or another reason. */
    endReason: string;
    /** Close code of the WebSocket; 1006 if the instance was lost. */
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

/** The events that webhooks receive; `verifyWebhook` returns them. */
export type WebhookEvent =
  | ApprovalWaitingWebhook
  | ApprovalDecidedWebhook
  | QuestionAnsweredWebhook
  | SessionEndedWebhook
  | TaskChangedWebhook;

/** The values of `errorCode` of a `ParleyApiError`. See /docs/errors for what to do about each. */
export type ErrorCode =
  | 'key-missing'
  | 'key-invalid'
  | 'key-expired'
  | 'session-over'
  | 'sign-in-refused'
  | 'sign-in-link-unusable'
  | 'origin-foreign'
  | 'csrf-token-wrong'
  | 'role-missing'
  | 'organization-missing'
  | 'organization-malformed'
  | 'organization-forbidden'
  | 'origin-forbidden'
  | 'scope-missing'
  | 'rate-limited'
  | 'quota-reached'
  | 'too-many-streams'
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
  | 'approval-session-silent'
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
