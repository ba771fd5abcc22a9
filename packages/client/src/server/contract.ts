// Generated from the contract by npm run contract; do not edit.

/** What `agents.list` filters by. */
export type ListAgentsQuery = {
  /** Only agents with this in their name or their description. */
  search?: string | undefined;
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
  /** Only those with a message that has all of these words, up to 8, each from its beginning, in capitals or not. */
  search?: string | undefined;
  /** Only those that began then or later. */
  from?: string | undefined;
  /** Only those that began before then. */
  to?: string | undefined;
  /** Only those that have this outcome now. */
  outcome?: 'waiting' | 'open' | 'failed' | 'completed' | undefined;
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** Which part of a list. */
export type PageQuery = {
  /** How many items to skip. */
  offset?: number | undefined;
  /** How many items to return at most. */
  limit?: number | undefined;
};

/** What `usage.get` filters by. */
export type GetUsageQuery = {
  /** The first moment that is of interest; the interval in which it lies counts as a whole. Without it, a day before `To` in hours, or 30 days before it in days. */
  from?: string | undefined;
  /** The end, which is not of interest any more; now without it. */
  to?: string | undefined;
  /** An hour or a day of UTC. */
  interval?: 'hour' | 'day' | undefined;
  /** Only what conversations of this agent used, with the agents that it asked in them. */
  agentId?: string | undefined;
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
  /** Counts the changes; part of the ETag. */
  version: number;
  createdAt: string;
  updatedAt: string;
  /** What the change did beside what was asked for; absent if nothing. A stored secret is dropped when the change would send it to another origin and does not bring it along. */
  warnings?: readonly Warning[];
};

/** Taken by `agents.tryTool`. */
export type ToolTrialInput = {
  /** What the tool is called with, as the model would send it. Default: `{}`. */
  arguments?: object | undefined;
};

/** Returned by `agents.tryTool`. */
export type ToolTrial = {
  /** The request of an HTTP tool, or the one that called the tool of an MCP server; null for built-in tools and where nothing was sent. */
  request: {
    method: string;
    url: string;
    headers: Record<string, string>;
    /** Cut off where it is long. */
    body: string | null;
  } | null;
  result: {
    /** `refused`: the arguments do not fit the tool’s parameters, and it was not run. */
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
  /** Why tools are missing: the server did not answer, lists too many, or describes one that cannot be called. */
  problems: readonly string[];
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

/** Returned by `connections.test`. */
export type ConnectionTest = {
  /** The provider let the connection in. */
  ok: boolean;
  /** What came of it, in the provider’s own words if it has any. */
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
  /** The first that applies: `waiting`, a tool call waits for approval; `open`, a session or a question goes on; `failed`, the service, the provider or a lost instance ended a session of it, or a question got no answer; else `completed`. */
  outcome: 'waiting' | 'open' | 'failed' | 'completed';
  createdAt: string;
  updatedAt: string;
};

/** Returned by `conversations.get`. */
export type ConversationDetails = {
  id: string;
  agentId: string;
  messageCount: number;
  /** The first that applies: `waiting`, a tool call waits for approval; `open`, a session or a question goes on; `failed`, the service, the provider or a lost instance ended a session of it, or a question got no answer; else `completed`. */
  outcome: 'waiting' | 'open' | 'failed' | 'completed';
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

/** Returned by `usage.get`. */
export type UsageReport = {
  /** Every interval of the range, oldest first, also those in which nothing was used. */
  items: readonly UsageInterval[];
  /** What the organization may use, and uses. */
  quotas: readonly QuotaUse[];
};

/** Part of `UsageReport`. */
export type UsageInterval = {
  /** When the interval begins, in UTC. */
  from: string;
  /** Realtime sessions that began in it. */
  sessions: number;
  /** How long those sessions lasted, in minutes; those that are open until now. */
  minutes: number;
  /** Tokens that models read, text and audio, cached ones included. */
  tokensIn: number;
  /** Tokens that models wrote or spoke. */
  tokensOut: number;
  /** Tool calls that models made in it. */
  toolCalls: number;
  /** What came of those calls that needed approval. */
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
  /** Sessions that the service, the provider or a lost instance ended, questions without an answer, and tool calls whose tool ran and failed. */
  errors: number;
};

/** Part of `UsageReport`. */
export type QuotaUse = {
  name: 'realtimeSessions' | 'questions' | 'fileBytes' | 'tokensPerDay' | 'mcpServersPerAgent';
  limit: number;
  /** Now, or today in UTC; null for what is not counted for the organization. */
  used: number | null;
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
  /** Whether every record is as it was written, and in its place. */
  intact: boolean;
  /** How many records are intact, from the first one on. */
  records: number;
  /** Sequence of the first record that is not as it was; null if there is none. */
  brokenAt: number | null;
  /** What is wrong there. */
  reason: string | null;
  checkedAt: string;
};

/** Returned by `files.list`, `files.upload`, `files.get`. */
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

/** Returned by `apiKeys.list`, `apiKeys.update`. */
export type ApiKey = {
  id: string;
  name: string;
  /** How the key begins and ends. */
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
  /** To the minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
};

/** Taken by `apiKeys.create`. */
export type ApiKeyInput = {
  /** What the key is for. */
  name: string;
  /** What the key may do. A key gives no scope that it lacks. Default: `["agents","connections","realtime","questions","conversations","tasks","files","approvals","webhooks","audit"]`. */
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
  /** null: it does not expire. Default: `null`. */
  expiresAt?: string | null | undefined;
};

/** Taken by `apiKeys.update`. */
export type ApiKeyPatch = {
  /** What the key is for. */
  name?: string | undefined;
  /** What the key may do. A key gives no scope that it lacks. */
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
  /** null: it does not expire. */
  expiresAt?: string | null | undefined;
};

/** Returned by `apiKeys.create`. */
export type NewApiKey = {
  id: string;
  name: string;
  /** How the key begins and ends. */
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
  /** To the minute. */
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** The key itself, shown here and never again. */
  apiKey: string;
};

/** Returned by `members.createSignInLink`. */
export type SignInLink = {
  /** Signs the member in once, to this organization. Append it to the address of the deployment, and hand it over. */
  signInPath: string;
  expiresAt: string;
};

/** Returned by `members.list`, `members.changeRole`. */
export type Member = {
  /** Of the membership. */
  id: string;
  /** Of the account; the audit log names it. */
  userId: string;
  email: string;
  name: string;
  role: 'viewer' | 'approver' | 'editor' | 'owner';
  createdAt: string;
};

/** Taken by `members.add`. */
export type MemberInput = {
  /** The account with this address, or a new one. */
  email: string;
  /** Of a new account; one that exists keeps its own. Default: `""`. */
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
  /** Of the membership. */
  id: string;
  /** Of the account; the audit log names it. */
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
export type ApprovalWaitingHint = {
  type: 'approval.waiting';
  timestamp: string;
  data: {
    /** Of the approval: approve or reject it under this id. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    /** Whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null where the call belongs to a question. */
    sessionId: string | null;
  };
};

/** A waiting tool call was approved or rejected, expired, or was cancelled. */
export type ApprovalDecidedHint = {
  type: 'approval.decided';
  timestamp: string;
  data: {
    /** Of the approval: approve or reject it under this id. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    /** Whose tool it is. */
    agentId: string;
    conversationId: string;
    /** null where the call belongs to a question. */
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

/** A message stands in a conversation: something said, typed or answered, or the call of a tool. */
export type MessageCreatedHint = {
  type: 'message.created';
  timestamp: string;
  data: {
    id: string;
    conversationId: string;
    /** null where it belongs to a question. */
    sessionId: string | null;
    role: 'user' | 'assistant' | 'tool';
  };
};

/** A question was answered, or failed; also one that was waiting for a person. */
export type QuestionAnsweredHint = {
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

/** Events may have been missed: read everything again that you show. */
export type ResyncHint = { type: 'resync'; timestamp: string; data: Record<string, unknown> };

/** One event of an organization: what `data` of the server-sent event holds. */
export type OrganizationEvent =
  | ApprovalWaitingHint
  | ApprovalDecidedHint
  | SessionStartedHint
  | SessionEndedHint
  | MessageCreatedHint
  | QuestionAnsweredHint
  | TaskChangedHint
  | ResyncHint;

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
