import type { CallPlace, CallRequest, OpenCall, ToolDeclaration, Run } from './calls/call.js';
import type { LoadedAgent } from './load-agent.js';
import type { ServerListings } from './mcp/server-listing.js';
import type { ToolTrials } from './tools/tool-trial.js';

/** A custom event, as it is sent to the client. */
export type CallEvent = string;

export type OpenOptions = {
  /** Gets the custom events of calls, in order. */
  readonly emit: (event: CallEvent) => void;
  /** The pod that is told of decisions; null where none waits. */
  readonly owner: string | null;
  /** Names of client tools: an MCP server's tool that is called the same gets another name. */
  readonly reservedNames?: readonly string[];
  /** Fires when nobody wants the tools any more, which may still be being listed. */
  readonly abandoned?: AbortSignal;
};

/** An agent's tools, ready to be called in one place. */
export type Toolbox = {
  readonly declarations: readonly ToolDeclaration[];
  readonly newCall: (request: CallRequest) => OpenCall;
  /**
   * Takes a call as far as it goes now. Never throws: whatever goes wrong is the call's outcome. The signal ends it: a running tool
   * is aborted, the call is recorded as failed, and no event is sent.
   */
  readonly advance: (call: OpenCall, signal: AbortSignal) => Promise<OpenCall>;
  readonly close: () => Promise<void>;
};

/** Who follows a run as it goes. */
export type RunWatch = {
  /** Gets the words of the answer as the model says them. */
  readonly onText?: (delta: string) => void;
  /** Awaited after each step, before the next begins: what it has stored can go on elsewhere. What it throws ends the run's way here. */
  readonly onProgress?: (run: Run) => Promise<void>;
};

/** An agent that answers in text, with its tools. */
export type Answerer = {
  readonly toolbox: Toolbox;
  /** Takes a run to its answer, its failure, or the next approval. Throws the signal's reason when that fires. */
  readonly answer: (run: Run, signal: AbortSignal, watch?: RunWatch) => Promise<Run>;
};

export type AgentRuntime = ToolTrials &
  ServerListings & {
    /** Asks the agent's MCP servers what they offer. A server that does not answer is left out and reported. */
    readonly openToolbox: (
      place: CallPlace,
      agent: LoadedAgent,
      options: OpenOptions,
    ) => Promise<Toolbox>;
    /** The same for an agent that answers. Throws AgentNotFound, or what PostgreSQL failed with. */
    readonly openAnswerer: (
      place: CallPlace,
      agentId: string,
      options: OpenOptions,
    ) => Promise<Answerer>;
  };
