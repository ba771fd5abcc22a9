import type { FallbackConnection, LoadedAgent } from '@parley/agent-runtime';
import type { OpenedBy, Outcome } from '@parley/database';
import type { PastItem, QuotaName, RealtimeErrorCode } from '@parley/protocol';
import type { ProviderConnection } from '@parley/providers';
import type { SessionTicket } from '@parley/session-store';
import type { PartName, SaidMessage } from './core/ledger.js';
import type { Amendment } from './core/note.js';
import type { AdoptedCall, CallRequest, Effect, Input, ToolDeclaration } from './core/session.js';
import type { UsageNote } from './core/usage.js';

export type AdmitRequest = OpenedBy & {
  /** The session's own id. Unlike its token, it appears in logs and in the record. */
  readonly sessionId: string;
  readonly tokenHash: Buffer;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
  readonly fileIds: readonly string[];
  /** Kept if the session is resumable, so that another pod can continue it. */
  readonly ticket?: SessionTicket;
};

/** A session of another pod to continue, and the new one that does. */
export type RestoreRequest = {
  readonly former: string;
  /** The pod that continues it. */
  readonly pod: string;
  readonly sessionId: string;
  readonly tokenHash: Buffer;
  readonly organizationId: string;
  /** As the client sent them: they must be the former session's. */
  readonly agentId: string;
  readonly conversationId: string;
};

export type AdmittedAgent = {
  readonly systemMessage: string;
  /** Null means the deployment's model. */
  readonly model: string | null;
};

/** The record has already ended what it does not admit. */
export type AdmitOutcome =
  | {
      readonly outcome: 'admitted';
      readonly agent: AdmittedAgent;
      /** The same agent, with everything that its tools need. */
      readonly loaded: LoadedAgent;
      /** Null means the deployment's default connection. */
      readonly connection: ProviderConnection | null;
      /** The id of that connection. */
      readonly connectionId: string | null;
      readonly fallbacks: readonly FallbackConnection[];
      /**
       * What the provider gets of the conversation's history, oldest first, followed by the
       * session's files.
       */
      readonly history: readonly PastItem[];
      /** The position of the conversation's last message; 0 in a new conversation. */
      readonly lastPosition: number;
      /** How many sessions the organization may have open. */
      readonly maxSessions: number;
    }
  | { readonly outcome: 'quota'; readonly quota: QuotaName }
  | { readonly outcome: 'refused'; readonly errorCode: RealtimeErrorCode };

/** What a session takes over from the one that it continues. */
export type Inheritance = {
  /** How long ago the first of them began. */
  readonly elapsedSeconds: number;
  /** Calls that nobody has started: most of them wait for approval. */
  readonly calls: readonly AdoptedCall[];
};

export type RestoreOutcome =
  | (Extract<AdmitOutcome, { outcome: 'admitted' }> & {
      readonly ticket: SessionTicket;
      readonly inherited: Inheritance;
    })
  /** Another session continues it already. */
  | { readonly outcome: 'moved'; readonly to: string }
  | Exclude<AdmitOutcome, { outcome: 'admitted' }>;

/**
 * The record's part in admission. It keeps every token's hash forever. If Redis forgets that a
 * token was spent, after a failover or a restore, the token still opens nothing: the second
 * admission of a hash is RealtimeSessionAlreadyUsed.
 */
export type SessionRecords = {
  admit(request: AdmitRequest): Promise<AdmitOutcome>;
  /** Takes over a session of another pod: of all who try, one succeeds. */
  restore(request: RestoreRequest): Promise<RestoreOutcome>;
  recorder(session: RecordedSession): SessionRecorder;
  /** Which of these organizations have used up today's tokens. */
  withoutTokens(organizationIds: readonly string[]): Promise<readonly string[]>;
};

export type RecordedSession = {
  readonly sessionId: string;
  readonly organizationId: string;
  readonly conversationId: string;
  /** Whether another pod may take it over: what this one writes afterwards is dropped. */
  readonly isResumable?: boolean;
};

export type SessionEnd = {
  /** The name of the close code, or another reason for the end. */
  readonly reason: string;
  readonly closeCode: number;
  readonly bytesFromClient: number;
  readonly bytesFromProvider: number;
};

/** Records what happens in a session, in call order. Nobody waits for it. */
export type SessionRecorder = {
  /**
   * The callback gets the message's id once it is committed, or undefined if it could not be
   * stored.
   */
  message(message: SaidMessage, onSettled: (id: string | undefined) => void): void;
  /** Replaces the words of a recorded message. The callback works as for `message`. */
  rewrite(message: SaidMessage, onSettled: (id: string | undefined) => void): void;
  amend(parts: readonly PartName[], change: Amendment): void;
  usage(usage: UsageNote): void;
  end(end: SessionEnd, onSettled?: (outcome: Outcome) => void): void;
  /**
   * What was said and done in the session so far, oldest first, including everything that was
   * recorded before this was called.
   */
  past(): Promise<readonly PastItem[]>;
};

export type ToolSession = RecordedSession & {
  readonly agent: LoadedAgent;
  /** The client's tools: tools of the agent with the same name get another one. */
  readonly clientTools: readonly ToolDeclaration[];
};

/** The tools that agents have, and the calls of all sessions of this process. */
export type Tools = {
  /** Starts to list the agent's tools, without making anybody wait. */
  open(session: ToolSession): SessionTools;
  /** Checks an approval that may have changed; `reread` checks all of them. */
  look(approvalId: string): void;
  reread(): void;
  /** Resolves when nothing of ended sessions is running any more, or after a timeout. */
  close(): Promise<void>;
};

/**
 * The tools of one session. A caller that has requested `calls` ends those; otherwise, it closes
 * this.
 */
export type SessionTools = {
  /** All tools, without those of a slow or broken server. */
  readonly listed: Promise<readonly ToolDeclaration[]>;
  calls(tell: (input: CallInput) => void): SessionCalls;
  close(): Promise<void>;
};

/** What happens to calls. */
export type CallInput = Extract<
  Input,
  { kind: 'call.told' | 'call.waiting' | 'call.finished' | 'decision.refused' }
>;

/** approval.approve or approval.reject, and the client's id for it. */
export type ClientDecision = Omit<Extract<Effect, { kind: 'decide_call' }>, 'kind'>;

/** Executes the tool calls of one session, and reports their progress. */
export type SessionCalls = {
  start(call: CallRequest): void;
  /** Goes on with a call of the session that this one continues. */
  adopt(call: AdoptedCall): void;
  cancel(callIds: readonly string[]): void;
  decide(decision: ClientDecision): void;
  /** The session is over: cancels what waits, aborts what is running, and reports nothing. */
  end(): void;
  /**
   * Another pod continues the session: leaves it what waits, aborts what is running, and reports
   * nothing. Resolves when all of that is done.
   */
  handOver(): Promise<void>;
};
