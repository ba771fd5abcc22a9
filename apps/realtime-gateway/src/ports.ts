import type { LoadedAgent } from '@parley/agent-runtime';
import type { OpenedBy } from '@parley/database';
import type { PastItem, QuotaName, RealtimeErrorCode } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import type { PartName, SaidMessage } from './core/ledger.js';
import type { Amendment } from './core/note.js';
import type { CallRequest, Effect, Input, ToolDeclaration } from './core/session.js';
import type { UsageNote } from './core/usage.js';

export type AdmitRequest = OpenedBy & {
  /** The session's own id: in logs and in the record, unlike its token. */
  readonly sessionId: string;
  readonly tokenHash: Buffer;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  readonly fileIds: readonly string[];
};

export type AdmittedAgent = {
  readonly systemMessage: string;
  /** Null follows the deployment's model. */
  readonly model: string | null;
};

export type AdmitOutcome =
  | {
      readonly outcome: 'admitted';
      readonly agent: AdmittedAgent;
      /** The same with all that its tools need. */
      readonly loaded: LoadedAgent;
      /** Null is the deployment's default connection. */
      readonly connection: ProviderConnection | null;
      /** What is told to the provider of the conversation's past, oldest first, and then the session's files. */
      readonly history: readonly PastItem[];
      /** Where the conversation's last message stands; 0 in a new one. */
      readonly lastPosition: number;
      /** How many sessions the organization may have open. */
      readonly maxSessions: number;
    }
  | { readonly outcome: 'quota'; readonly quota: QuotaName }
  | { readonly outcome: 'refused'; readonly errorCode: RealtimeErrorCode };

/**
 * The record's part in admission. It keeps every token's hash for good, so that a token which Redis forgot to be spent,
 * after a failover or a restore, still opens nothing: the second admission of a hash is RealtimeSessionAlreadyUsed.
 */
export type SessionRecords = {
  admit(request: AdmitRequest): Promise<AdmitOutcome>;
  /** Which of these API keys were revoked, have expired, or are gone: what they opened ends. */
  unusableOpeners(ids: readonly string[]): Promise<ReadonlySet<string>>;
  recorder(session: RecordedSession): SessionRecorder;
  /** Which of these organizations have used up their tokens of today. */
  withoutTokens(organizationIds: readonly string[]): Promise<readonly string[]>;
};

export type RecordedSession = {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly conversationId: string;
};

export type SessionEnd = {
  /** The name of the close code, or what else ended the session. */
  readonly reason: string;
  readonly closeCode: number;
  readonly bytesFromClient: number;
  readonly bytesFromProvider: number;
};

/** Writes down what happens in a session, in the order in which it is told. Nobody waits for it. */
export type SessionRecorder = {
  /** The callback gets the message's id once it is committed, and undefined if it is given up. */
  message(message: SaidMessage, onSettled: (id: string | undefined) => void): void;
  /** As for a message: other words for one that is there. */
  rewrite(message: SaidMessage, onSettled: (id: string | undefined) => void): void;
  amend(parts: readonly PartName[], change: Amendment): void;
  usage(usage: UsageNote): void;
  end(end: SessionEnd): void;
};

export type ToolSession = RecordedSession & {
  readonly agent: LoadedAgent;
  /** Tools that the client has: the agent's get other names. */
  readonly clientTools: readonly ToolDeclaration[];
};

/** The tools that agents have, and the calls of all sessions of this process. */
export type Tools = {
  /** Begins to list the agent's tools, for which nobody has to wait. */
  open(session: ToolSession): SessionTools;
  /** Something has happened to this approval, perhaps; or to any of them. */
  look(approvalId: string): void;
  reread(): void;
  /** Resolves when nothing of ended sessions runs any more, or at last. */
  close(): Promise<void>;
};

/** The tools of one session. Who has asked for its calls ends those; who has not closes this. */
export type SessionTools = {
  /** All of them; those of a server that is slow or broken are left out. */
  readonly listed: Promise<readonly ToolDeclaration[]>;
  calls(tell: (input: CallInput) => void): SessionCalls;
  close(): Promise<void>;
};

/** What becomes of calls. */
export type CallInput = Extract<
  Input,
  { kind: 'call.told' | 'call.waiting' | 'call.finished' | 'decision.refused' }
>;

/** approval.approve or approval.reject, and the id that the client gave it. */
export type ClientDecision = Omit<Extract<Effect, { kind: 'decide_call' }>, 'kind'>;

/** Carries out the tool calls of one session, and tells what becomes of them. */
export type SessionCalls = {
  start(call: CallRequest): void;
  cancel(callIds: readonly string[]): void;
  decide(decision: ClientDecision): void;
  /** The session is over: what waits is cancelled, what runs is aborted, and nothing is told. */
  end(): void;
};
