import { randomUUID } from 'node:crypto';
import type { ApprovalDesk } from '@parley/approvals';
import {
  searchMessages,
  type Database,
  type RecordJournal,
  type SecretBox,
  type Transactor,
} from '@parley/database';
import type { Egress } from '@parley/egress';
import {
  connectionFor,
  type ProviderConnection,
  type TextAnswer,
  type TextClient,
  type TextUsage,
} from '@parley/providers';
import { agentTasks } from './tools/agent-tasks.js';
import { answer, type AnswerPorts } from './questions/answer.js';
import { bindTools } from './tools/bind-tools.js';
import type { BuiltinPorts } from './tools/builtin-tools.js';
import type { Report } from './tools/attempt.js';
import { holderOf, openCall, waitingApprovals, type CallPlace } from './calls/call.js';
import { CallDriver } from './calls/call-driver.js';
import { callRecords } from './calls/call-records.js';
import { WaitingRoom } from './calls/waiting-room.js';
import { loadAgent, type LoadedAgent } from './load-agent.js';
import type { AgentRuntime, Answerer, OpenOptions } from './runtime.js';
import { RunBudget } from './questions/run-budget.js';
import { serverListings } from './mcp/server-listing.js';
import { agentGone } from './tools/subagent-tool.js';
import type { ToolMetrics } from './tools/tool-metrics.js';
import { toolTrials } from './tools/tool-trial.js';
import { ToolFailure, type BoundTool } from './tools/tool.js';

export type AgentRuntimeOptions = {
  readonly database: Database;
  /** Takes the outcomes of calls and the cost of answers. Nobody waits for it. */
  readonly journal: RecordJournal;
  readonly secretBox: SecretBox;
  readonly approvals: Pick<ApprovalDesk, 'open' | 'cancel'>;
  readonly egress: Egress;
  readonly settings: RuntimeSettings;
  /** For agents without a connection of their own. */
  readonly defaultConnection: ProviderConnection | undefined;
  readonly metrics: ToolMetrics;
  readonly report: Report;
};

export type RuntimeSettings = {
  readonly REALTIME_APPROVAL_TIMEOUT_SECONDS: number;
  readonly PROVIDER_TEXT_MODEL: string;
  readonly RUN_MAX_MODEL_CALLS: number;
  readonly RUN_MAX_TOOL_CALLS: number;
  readonly RUN_MAX_SECONDS: number;
};

/** The agent was deleted, or belongs to another organization. */
export class AgentNotFound extends Error {}

export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  const first = { ancestors: [], parentId: null };
  const { background } = options.database;
  const asked = { ...options, database: background, builtin: builtinPorts(background) };
  return {
    ...toolTrials(asked),
    ...serverListings(asked),
    openAnswerer: (place, agentId, open) =>
      openAgent(options, {
        place,
        agentId,
        open,
        ...first,
        room: new WaitingRoom(),
        budget: { shared: newBudget(options), leads: true },
      }),
    async openToolbox(place, agent, open) {
      const { id: agentId } = agent.agent;
      const opening = { place, agentId, open, ...first, room: new WaitingRoom(), budget: null };
      return (await openLoaded(options, opening, agent)).toolbox;
    },
  };
}

function newBudget({ settings }: AgentRuntimeOptions): RunBudget {
  return new RunBudget({
    modelCalls: settings.RUN_MAX_MODEL_CALLS,
    toolCalls: settings.RUN_MAX_TOOL_CALLS,
    milliseconds: settings.RUN_MAX_SECONDS * 1000,
  });
}

type Opening = {
  readonly place: CallPlace;
  readonly agentId: string;
  readonly open: OpenOptions;
  readonly ancestors: readonly string[];
  readonly parentId: string | null;
  /** Shared with the agents that it asks. */
  readonly room: WaitingRoom;
  /**
   * Null if the caller of the tools answers elsewhere: each agent that it asks then has its own
   * budget.
   */
  readonly budget: { readonly shared: RunBudget; readonly leads: boolean } | null;
};

async function openAgent(options: AgentRuntimeOptions, opening: Opening): Promise<Answerer> {
  const { secretBox } = options;
  const source = { database: options.database.background, secretBox };
  const loaded = await loadAgent(source, opening.place.organizationId, opening.agentId);
  if (!loaded) throw new AgentNotFound();
  return openLoaded(options, opening, loaded);
}

async function openLoaded(
  options: AgentRuntimeOptions,
  opening: Opening,
  loaded: LoadedAgent,
): Promise<Answerer> {
  const { egress } = options;
  const { background } = options.database;
  const { place, agentId, open, room, budget } = opening;
  const report = reportOf(options.report, opening);
  const ancestors = [...opening.ancestors, agentId];
  const { tools, close } = await bindTools(loaded, {
    egress,
    place,
    ancestors,
    emit: open.emit,
    reservedNames: open.reservedNames ?? [],
    builtin: builtinPorts(background),
    async answerAs(id, run, { call, signal }) {
      const share = budget
        ? { ...budget, leads: false }
        : { shared: newBudget(options), leads: true };
      const inner = { place, agentId: id, open, ancestors, parentId: call.id, room, budget: share };
      const answerer = await openAgent(options, inner).catch(async (error: unknown) => {
        // Nobody owns the approvals of its calls any more.
        await driverOf(options, inner, new Map()).endCalls(run, signal);
        throw error instanceof AgentNotFound ? new ToolFailure(agentGone) : error;
      });
      try {
        return await answerer.answer(run, signal);
      } finally {
        await answerer.toolbox.close();
      }
    },
    reportMcp(details) {
      if (!open.abandoned?.aborted) report('mcp server or tool skipped', details);
    },
    abandoned: open.abandoned,
  });
  const driver = driverOf(options, opening, tools);
  const toolbox = {
    declarations: [...tools.values()].map(({ declaration }) => declaration),
    newCall: openCall,
    advance: (call, signal) => driver.advance(call, signal),
    close,
  } satisfies Answerer['toolbox'];
  const complete = completer(loaded, options);
  const onUsage = (usage: TextUsage) => recordUsage(options.journal, place, usage);
  return {
    toolbox,
    answer(run, signal, watch) {
      room.seat(run.openCalls.flatMap(waitingApprovals).map(({ id }) => id));
      const { shared, leads } = budget ?? { shared: newBudget(options), leads: true };
      const spending = { onUsage, budget: shared, leads };
      const instructions = loaded.agent.systemMessage;
      return answer(run, { instructions, toolbox, complete, watch, ...spending }, signal);
    },
  };
}

function driverOf(
  options: AgentRuntimeOptions,
  opening: Opening,
  tools: ReadonlyMap<string, BoundTool>,
): CallDriver {
  const { place, agentId, open, parentId, room } = opening;
  return new CallDriver({
    place,
    agentId,
    parentId,
    tools,
    room,
    owner: open.owner,
    isMovable: open.isMovable === true,
    emit: open.emit,
    records: callRecords(options.database.background, place),
    journal: options.journal,
    approvals: options.approvals,
    approvalTimeoutSeconds: options.settings.REALTIME_APPROVAL_TIMEOUT_SECONDS,
    metrics: options.metrics,
    report: reportOf(options.report, opening),
  });
}

function builtinPorts(database: Transactor): BuiltinPorts {
  return {
    tasks: agentTasks(database),
    search: ({ organizationId, conversationId }, query) =>
      database.inOrganization(organizationId, (scope) =>
        searchMessages(scope, conversationId, query),
      ),
    now: () => new Date(),
  };
}

/** Adds the place of a call to what is reported to the operator. */
function reportOf(report: Report, { place, agentId }: Opening): Report {
  const { organizationId, conversationId, sessionId: session, runId: run } = place;
  const where = { organizationId, agentId, conversationId, session, run };
  return (event, details) => report(event, { ...where, ...details });
}

/**
 * The agent's text model. The operator configures the deployment's own connection; all others are
 * guarded.
 */
function completer(
  { agent, connection: own }: LoadedAgent,
  { defaultConnection, egress, settings }: AgentRuntimeOptions,
): AnswerPorts['complete'] {
  const unusable = () =>
    Promise.resolve<TextAnswer>({ ok: false, reason: 'The agent’s connection cannot be used.' });
  if (own === 'unusable') return unusable;
  const connection = connectionFor(own, defaultConnection);
  const guard = connection === defaultConnection ? undefined : egress;
  const model = agent.textModel ?? settings.PROVIDER_TEXT_MODEL;
  // Most sessions never ask for a text, nor do many processes, which then need not load the SDK.
  let client: TextClient | undefined;
  return async (request, signal, onText) => {
    const { textClient } = await import('@parley/providers/text-client');
    client ??= connection && textClient(connection, guard);
    return client ? client.complete({ model, ...request }, signal, onText) : unusable();
  };
}

/** The cost of text answers counts towards their session or question. */
function recordUsage(
  journal: RecordJournal,
  place: CallPlace,
  { id, model, inputTokens, cachedTokens, outputTokens }: TextUsage,
): void {
  const { conversationId, sessionId, runId } = place;
  if (sessionId === null && runId === null) return;
  const usage = {
    conversationId,
    sessionId,
    runId,
    source: 'response' as const,
    model,
    // Some servers give all completions the same id, or none.
    sourceId: `${id}/${randomUUID()}`,
    inputTextTokens: inputTokens,
    inputAudioTokens: 0,
    inputCachedTokens: cachedTokens,
    outputTextTokens: outputTokens,
    outputAudioTokens: 0,
    seconds: 0,
  };
  journal.add(holderOf(place), { kind: 'usage', usage });
}
