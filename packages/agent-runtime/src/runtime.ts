import type {
  CallPlace,
  CallRequest,
  OpenCall,
  ToolDeclaration,
  Run,
  WaitingApproval,
} from './calls/call.js';
import type { LoadedAgent } from './load-agent.js';
import type { ServerListings } from './mcp/server-listing.js';
import type { ToolTrials } from './tools/tool-trial.js';

/** A custom event, as sent to the client. */
export type CallEvent = string;

/** What a client that is told of an approval may decide from then on. */
export type AskedApproval = Pick<WaitingApproval, 'id' | 'callId' | 'approvers'>;

export type Emit = (event: CallEvent, asked?: AskedApproval) => void;

export type OpenOptions = {
  /** Receives the custom events of calls, in order. */
  readonly emit: Emit;
  /** The pod to notify of decisions; null if none waits. */
  readonly owner: string | null;
  /** Names of client tools: an MCP server's tool of the same name gets another one. */
  readonly reservedNames?: readonly string[];
  /**
   * Whether another process may continue the session: then it is kept how far a call has got whose
   * sub-agent waits.
   */
  readonly isMovable?: boolean;
  /** Fires when nobody needs the tools any more, possibly while they are still being listed. */
  readonly abandoned?: AbortSignal | undefined;
};

/** An agent's tools, ready to be called in one place. */
export type Toolbox = {
  readonly declarations: readonly ToolDeclaration[];
  readonly newCall: (request: CallRequest) => OpenCall;
  /**
   * Advances a call as far as possible now. Never throws: any failure is the call's outcome. The
   * signal ends it: a running tool is aborted, the call is recorded as failed, and no event is
   * sent.
   */
  readonly advance: (call: OpenCall, signal: AbortSignal) => Promise<OpenCall>;
  readonly close: () => Promise<void>;
};

/** Receives the progress of a run. */
export type RunWatch = {
  /** Receives the text of the answer as the model generates it. */
  readonly onText?: (delta: string) => void;
  /**
   * Awaited after each step, before the next starts: what it has stored can be resumed elsewhere.
   * If it throws, the run stops here.
   */
  readonly onProgress?: (run: Run) => Promise<void>;
};

/** An agent that answers in text, with its tools. */
export type Answerer = {
  readonly toolbox: Toolbox;
  /**
   * Advances a run to its answer, its failure, or the next approval. Throws the signal's reason if
   * it fires.
   */
  readonly answer: (run: Run, signal: AbortSignal, watch?: RunWatch) => Promise<Run>;
};

export type AgentRuntime = ToolTrials &
  ServerListings & {
    /**
     * Asks the agent's MCP servers for their tools. A server that does not respond is left out and
     * reported.
     */
    readonly openToolbox: (
      place: CallPlace,
      agent: LoadedAgent,
      options: OpenOptions,
    ) => Promise<Toolbox>;
    /**
     * The same for an agent that answers questions. Throws AgentNotFound, or the error of
     * PostgreSQL.
     */
    readonly openAnswerer: (
      place: CallPlace,
      agentId: string,
      options: OpenOptions,
    ) => Promise<Answerer>;
  };
