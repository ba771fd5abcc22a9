import { randomUUID } from 'node:crypto';
import { insertUsage, searchMessages, type Database, type SecretBox } from '@parley/database';
import type { Egress } from '@parley/egress';
import {
  connectionFor,
  textClient,
  type ProviderConnection,
  type TextAnswer,
  type TextUsage,
} from '@parley/providers';
import type { Approvals, JobProducer } from '@parley/session-store';
import { agentTasks } from './agent-tasks.js';
import { answer, type AnswerPorts } from './answer.js';
import { bindTools } from './bind-tools.js';
import type { BuiltinPorts } from './builtin-tools.js';
import { openCall, waitingApprovals, type CallPlace } from './call.js';
import type { Report } from './attempt.js';
import type { ToolMetrics } from './call-ends.js';
import { CallMachine } from './call-machine.js';
import { callRecords } from './call-records.js';
import { loadAgent, type LoadedAgent } from './load-agent.js';
import { recordLater } from './record-later.js';
import type { AgentRuntime, Answerer, OpenOptions } from './runtime.js';
import { agentGone } from './subagent-tool.js';
import { ToolFailure, type BoundTool } from './tool.js';
import { WaitingRoom } from './waiting-room.js';

export type AgentRuntimeOptions = {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly approvals: Pick<Approvals, 'open' | 'read' | 'decide'>;
  readonly jobs: Pick<JobProducer, 'expireApproval'>;
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
};

/** The agent was deleted, or is not one of this organization. */
export class AgentNotFound extends Error {}

export function createAgentRuntime(options: AgentRuntimeOptions): AgentRuntime {
  const openAnswerer: AgentRuntime['openAnswerer'] = (place, agentId, open) =>
    openAgent(options, {
      ...{ place, agentId, open, ancestors: [], parentId: null },
      room: new WaitingRoom(),
    });
  return {
    openAnswerer,
    openToolbox: async (place, agentId, open) => (await openAnswerer(place, agentId, open)).toolbox,
  };
}

type Opening = {
  readonly place: CallPlace;
  readonly agentId: string;
  readonly open: OpenOptions;
  readonly ancestors: readonly string[];
  readonly parentId: string | null;
  /** Shared with the agents that it asks. */
  readonly room: WaitingRoom;
};

async function openAgent(options: AgentRuntimeOptions, opening: Opening): Promise<Answerer> {
  const { database, secretBox, egress } = options;
  const { place, agentId, open, room } = opening;
  const report = reportOf(options.report, opening);
  const loaded = await loadAgent({ database, secretBox }, place.organizationId, agentId);
  if (!loaded) throw new AgentNotFound();
  const ancestors = [...opening.ancestors, agentId];
  const { tools, close } = await bindTools(loaded, {
    egress,
    place,
    ancestors,
    emit: open.emit,
    reservedNames: open.reservedNames ?? [],
    builtin: builtinPorts(database),
    async answerAs(id, run, { call, signal }) {
      const inner = { place, agentId: id, open, ancestors, parentId: call.id, room };
      const answerer = await openAgent(options, inner).catch(async (error: unknown) => {
        // What its calls wait for is nobody's any more.
        await machineOf(options, inner, new Map()).endCalls(run, signal);
        throw error instanceof AgentNotFound ? new ToolFailure(agentGone) : error;
      });
      try {
        return await answerer.answer(run, signal);
      } finally {
        await answerer.toolbox.close();
      }
    },
    reportMcp: (details) => report('mcp server left out', details),
  });
  const machine = machineOf(options, opening, tools);
  const toolbox = {
    declarations: [...tools.values()].map(({ declaration }) => declaration),
    newCall: openCall,
    advance: (call, signal) => machine.advance(call, signal),
    close,
  } satisfies Answerer['toolbox'];
  const complete = completer(loaded, options);
  const onUsage = (usage: TextUsage) => recordUsage({ database, report }, place, usage);
  return {
    toolbox,
    answer(run, signal, watch) {
      room.seat(run.openCalls.flatMap(waitingApprovals).map(({ id }) => id));
      const instructions = loaded.agent.systemMessage;
      return answer(run, { instructions, toolbox, complete, watch, onUsage }, signal);
    },
  };
}

function machineOf(
  options: AgentRuntimeOptions,
  opening: Opening,
  tools: ReadonlyMap<string, BoundTool>,
): CallMachine {
  const { place, agentId, open, parentId, room } = opening;
  return new CallMachine({
    ...{ place, agentId, parentId, tools, room },
    owner: open.owner,
    emit: open.emit,
    records: callRecords(options.database, place.organizationId),
    approvals: options.approvals,
    jobs: options.jobs,
    approvalTimeoutSeconds: options.settings.REALTIME_APPROVAL_TIMEOUT_SECONDS,
    metrics: options.metrics,
    report: reportOf(options.report, opening),
  });
}

function builtinPorts(database: Database): BuiltinPorts {
  return {
    tasks: agentTasks(database),
    search: ({ organizationId, conversationId }, query) =>
      database.inOrganization(organizationId, (scope) =>
        searchMessages(scope, conversationId, query),
      ),
    now: () => new Date(),
  };
}

/** What an operator is told of a call says where it was made. */
function reportOf(report: Report, { place, agentId }: Opening): Report {
  const { organizationId, conversationId, sessionId: session, runId: run } = place;
  const where = { organizationId, agentId, conversationId, session, run };
  return (event, details) => report(event, { ...where, ...details });
}

/** The agent's text model. The deployment's own connection is the operator's to aim; all others are guarded. */
function completer(
  { agent, connection: own }: LoadedAgent,
  { defaultConnection, egress, settings }: AgentRuntimeOptions,
): AnswerPorts['complete'] {
  const unusable = () =>
    Promise.resolve<TextAnswer>({ ok: false, reason: 'The agent’s connection cannot be used.' });
  if (own === 'unusable') return unusable;
  const connection = connectionFor(own, defaultConnection);
  const client =
    connection && textClient(connection, connection === defaultConnection ? undefined : egress);
  if (!client) return unusable;
  const model = agent.textModel ?? settings.PROVIDER_TEXT_MODEL;
  return (request, signal, onText) => client.complete({ model, ...request }, signal, onText);
}

/** What text answers cost counts as their session's or their question's. */
async function recordUsage(
  { database, report }: Pick<AgentRuntimeOptions, 'database' | 'report'>,
  { organizationId, conversationId, sessionId, runId }: CallPlace,
  { id, model, inputTokens, cachedTokens, outputTokens }: TextUsage,
): Promise<void> {
  if (sessionId === null && runId === null) return;
  const record = {
    ...{ conversationId, sessionId, runId, source: 'response' as const, model },
    // Some servers give all their completions one id, or none.
    sourceId: `${id}/${randomUUID()}`,
    inputTextTokens: inputTokens,
    inputAudioTokens: 0,
    inputCachedTokens: cachedTokens,
    outputTextTokens: outputTokens,
    outputAudioTokens: 0,
    seconds: 0,
  };
  const insert = () =>
    database.inOrganization(organizationId, (scope) => insertUsage(scope, [record]));
  try {
    await insert();
  } catch (err) {
    report('usage not recorded', { err });
    void recordLater(insert);
  }
}
