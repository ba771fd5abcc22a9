import { fileContext, unsealAgent } from '@parley/agent-runtime';
import {
  adoptSessionCalls,
  announceRealtimeSession,
  cancelSessionCalls,
  holdAdmissibleAgent,
  isTokenUsed,
  loadFileTexts,
  noteGivenFiles,
  openRecordJournal,
  pastOf,
  pastOfSession,
  keepTicket,
  refuseRealtimeSession,
  startRealtimeSession,
  takeOverSession,
  violatedConstraint,
  withoutTokens,
  type AdmissibleAgent,
  type AdoptedCall as StoredCall,
  type Database,
  type JournalLimits,
  type OrganizationScope,
  type Past,
  type RecordJournal,
  type RefusedSession,
  type SecretBox,
} from '@parley/database';
import type { ConfigOf, Logger } from '@parley/service-kit';
import type { SessionTicket } from '@parley/session-store';
import type { Registry } from 'prom-client';
import {
  closeCodes,
  quotaDefaults,
  realtimeErrors,
  type HistoryBudget,
  type PastItem,
  type QuotaSettings,
  type RealtimeErrorCode,
} from '@parley/protocol';
import type { AdoptedCall } from '../core/session.js';
import type {
  AdmitOutcome,
  AdmitRequest,
  RecordedSession,
  RestoreOutcome,
  RestoreRequest,
  SessionRecorder,
  SessionRecords,
} from '../ports.js';
import { recordMetrics, type RecordMetrics } from './record-metrics.js';
import { Recorder } from './session-recorder.js';
import { SharedAgents } from './shared-agents.js';

export type SessionRecordsOptions = {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly settings: HistorySettings;
  readonly limits?: Partial<JournalLimits>;
};

export type HistorySettings = QuotaSettings &
  Pick<
    ConfigOf<'realtime-gateway'>,
    'REALTIME_HISTORY_MESSAGES' | 'REALTIME_HISTORY_CHARACTERS' | 'FILE_CONTEXT_CHARACTERS'
  >;

/** The record on PostgreSQL. Close it after the last session, and before the database. */
export type DatabaseRecords = SessionRecords & {
  /**
   * Also takes the outcomes of the sessions' tool calls, so that the outcome of a call is written
   * before the end of its session.
   */
  readonly journal: RecordJournal;
  close(): Promise<void>;
};

/**
 * Admission is one transaction: the fence and everything that the session needs. Everything later
 * is written in the background.
 */
export function createSessionRecords(options: SessionRecordsOptions): DatabaseRecords {
  const { registry } = options;
  const journal = openJournal(options, {
    settled: (settled) => metrics.settled(settled),
    retried: () => metrics.retried(),
  });
  const metrics = recordMetrics(registry, () => journal.waiting);
  const parts = { ...options, journal, metrics };
  const admission = { ...options, agents: new SharedAgents() };
  return {
    journal,
    recorder: (session) => new JournalRecorder(session, parts),
    close: () => journal.close(),
    withoutTokens: (organizationIds) =>
      options.database.asSystem((system) =>
        withoutTokens(system, organizationIds, options.settings.QUOTA_TOKENS_PER_DAY),
      ),
    restore: (request) =>
      options.database.inOrganization(request.organizationId, (scope) =>
        restoreIn(scope, request, admission),
      ),
    async admit(request) {
      try {
        return await options.database.inOrganization(request.organizationId, (scope) =>
          admitIn(scope, request, admission),
        );
      } catch (error) {
        if (isTokenUsed(error)) return refused('RealtimeSessionAlreadyUsed');
        // The agent or the conversation was deleted after the session was created.
        if (violatedConstraint(error)?.endsWith('_fkey')) return refused('RealtimeSessionInvalid');
        throw error;
      }
    },
  };
}

type AdmissionParts = Pick<SessionRecordsOptions, 'secretBox' | 'settings'> & {
  readonly agents: SharedAgents;
};

type JournalParts = Pick<SessionRecordsOptions, 'database' | 'settings'> & {
  readonly journal: RecordJournal;
  readonly metrics: RecordMetrics;
};

class JournalRecorder extends Recorder implements SessionRecorder {
  readonly #session: RecordedSession;
  readonly #parts: JournalParts;

  constructor(session: RecordedSession, parts: JournalParts) {
    const { organizationId, sessionId: id } = session;
    super({
      session,
      metrics: parts.metrics,
      add: (change, onSettled) =>
        parts.journal.add(
          { organizationId, id },
          session.isResumable ? { ...change, fencedBy: id } : change,
          onSettled,
        ),
    });
    this.#session = session;
    this.#parts = parts;
  }

  async past(): Promise<readonly PastItem[]> {
    const { database, journal, settings } = this.#parts;
    const { organizationId } = this.#session;
    await journal.caughtUp(organizationId);
    return database.inOrganization(organizationId, (scope) =>
      pastOfSession(scope, this.#session, replayBudget(settings)),
    );
  }
}

/** A provider that continues a session knows at least this much of it. */
const leastReplayed: HistoryBudget = { messages: 400, characters: 100_000 };

function replayBudget(settings: HistorySettings): HistoryBudget {
  return {
    messages: Math.max(settings.REALTIME_HISTORY_MESSAGES, leastReplayed.messages),
    characters: Math.max(settings.REALTIME_HISTORY_CHARACTERS, leastReplayed.characters),
  };
}

function openJournal(
  { database, logger, limits }: SessionRecordsOptions,
  metrics: Pick<RecordMetrics, 'settled' | 'retried'>,
): RecordJournal {
  return openRecordJournal({
    database,
    limits,
    onSettled: metrics.settled,
    onRetry(err, waiting) {
      metrics.retried();
      logger.warn({ err, waiting }, 'record write failed; retrying');
    },
    onRefused: (err, { kind }) => logger.error({ err, kind }, 'record rejected by the database'),
    onGivenUp: (changes) => logger.error({ changes }, 'record lost while stopping'),
  });
}

async function restoreIn(
  scope: OrganizationScope,
  { former, agentId, conversationId, pod, ...place }: RestoreRequest,
  options: AdmissionParts,
): Promise<RestoreOutcome> {
  const { sessionId: to } = place;
  const taken = await takeOverSession(scope, { id: former, agentId, conversationId, to });
  if (taken.outcome === 'moved') return taken;
  if (taken.outcome === 'over') return refused('RealtimeSessionInvalid');
  const { beganAt, elapsedSeconds } = taken;
  const ticket = taken.ticket as SessionTicket;
  const { keyId, memberId = null, fileIds } = ticket;
  const ids = { agentId: ticket.agentId, conversationId: ticket.conversationId };
  const request = { ...place, ...ids, keyId, memberId, fileIds, ticket, beganAt };
  const started = await startIn(scope, request, options);
  const adopting = { from: former, to, owner: pod };
  const calls = started.outcome === 'admitted' ? await adoptSessionCalls(scope, adopting) : [];
  // What it has claimed cannot be continued, unless a sub-agent waits.
  await cancelSessionCalls(scope, former);
  if (started.outcome !== 'admitted') return started;
  // Read last: the model must know of the calls that have just ended.
  const admitted = await withPast(started, { ...replayBudget(options.settings), isPlaced: true });
  return { ...admitted, ticket, inherited: { elapsedSeconds, calls: calls.map(adopted) } };
}

function adopted({ itemId, arguments: input, approval, ...stored }: StoredCall): AdoptedCall {
  const { suspended, ...call } = stored;
  return {
    ...call,
    ...(suspended !== null && { suspended }),
    arguments: JSON.stringify(input),
    ...(itemId !== null && { itemId }),
    asked: approval && { ...approval, deadline: approval.deadline.toISOString() },
  };
}

async function admitIn(
  scope: OrganizationScope,
  request: AdmitRequest,
  options: AdmissionParts,
): Promise<AdmitOutcome> {
  const started = await startIn(scope, request, options);
  if (started.outcome !== 'admitted') return started;
  const { REALTIME_HISTORY_MESSAGES: messages, REALTIME_HISTORY_CHARACTERS: characters } =
    options.settings;
  return withPast(started, { messages, characters });
}

type Admitted = Extract<AdmitOutcome, { outcome: 'admitted' }>;
type PastBudget = Parameters<typeof pastOf>[2];
/** An admitted session whose history is still to be read. */
type Started = Omit<Admitted, keyof Past> & {
  readonly past: (budget: PastBudget) => Promise<Past>;
};

async function withPast({ past, ...admitted }: Started, budget: PastBudget): Promise<Admitted> {
  return { ...admitted, ...(await past(budget)) };
}

type StartRequest = AdmitRequest & { readonly beganAt?: Date };
type NotAdmitted = Exclude<AdmitOutcome, { outcome: 'admitted' }>;

/** Once recorded, a session that is refused ends in the same transaction. */
async function startIn(
  scope: OrganizationScope,
  request: StartRequest,
  parts: AdmissionParts,
): Promise<Started | NotAdmitted> {
  const held = await holdAdmissibleAgent(scope, request);
  if (!held?.isOpenerUsable) return refused('RealtimeSessionInvalid');
  const { sessionId: id, tokenHash, agentId, conversationId, keyId, memberId = null } = request;
  const session = { id, tokenHash, agentId, conversationId, keyId, memberId };
  await startRealtimeSession(scope, session);
  const { ticket, beganAt } = request;
  if (ticket) await keepTicket(scope, { id, ticket, beganAt });
  const started = await prepareIn(scope, { ...request, held }, parts);
  if (started.outcome === 'admitted') announceRealtimeSession(scope, session);
  else await refuseRealtimeSession(scope, { id, ...endOf(started) });
  return started;
}

function endOf(refusal: NotAdmitted): Pick<RefusedSession, 'endReason' | 'closeCode'> {
  if (refusal.outcome === 'quota')
    return { endReason: 'QuotaReached', closeCode: closeCodes.QuotaReached.code };
  const { errorCode } = refusal;
  return { endReason: errorCode, closeCode: realtimeErrors[errorCode].closeCode };
}

async function prepareIn(
  scope: OrganizationScope,
  { held, conversationId, fileIds, beganAt }: StartRequest & { readonly held: AdmissibleAgent },
  { secretBox, settings, agents }: AdmissionParts,
): Promise<Started | NotAdmitted> {
  const agent = agents.share(held.agent);
  if (!agent.realtimeEnabled) return refused('RealtimeNotEnabled');
  const limits = { ...quotaDefaults(settings), ...held.quotas };
  if (held.tokensToday >= limits.tokensPerDay) return { outcome: 'quota', quota: 'tokensPerDay' };
  const loaded = await unsealAgent(scope, { ...held, agent }, secretBox);
  const { connection } = loaded;
  if (connection === 'unusable' || connection?.realtime === false)
    return refused('RealtimeUnsupportedConnection');
  const { FILE_CONTEXT_CHARACTERS: characters } = settings;
  const loadedFiles = await loadFileTexts(scope, fileIds, characters);
  // A file was deleted after the session was created. One that has already begun goes on without it.
  if (loadedFiles.outcome === 'missing' && beganAt === undefined)
    return refused('RealtimeSessionInvalid');
  await noteGivenFiles(scope, conversationId, fileIds);
  const { systemMessage, model } = agent;
  const isNew = held.lastPosition === 0;
  const files = attached(fileContext(loadedFiles.files, characters));
  return {
    outcome: 'admitted',
    agent: { systemMessage, model },
    loaded,
    connection,
    connectionId: agent.connectionId,
    fallbacks: loaded.fallbacks,
    maxSessions: limits.realtimeSessions,
    async past(budget) {
      const past = isNew ? noPast : await pastOf(scope, conversationId, budget);
      return { ...past, history: [...past.history, ...files] };
    },
  };
}

const noPast: Past = { history: [], lastPosition: 0 };

/**
 * A user's files go in as a user message: a system message would give their content too much
 * authority.
 */
function attached(text: string): PastItem[] {
  return text === '' ? [] : [{ kind: 'message', role: 'user', content: text }];
}

type Refused = Extract<AdmitOutcome, { outcome: 'refused' }>;

function refused(errorCode: RealtimeErrorCode): Refused {
  return { outcome: 'refused', errorCode };
}
