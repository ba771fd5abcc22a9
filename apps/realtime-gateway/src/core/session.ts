import type {
  Approver,
  AudioFormat,
  CloseName,
  NoticeCode,
  OutputModalities,
  PastItem,
  RefusalCode,
  RenewalReason,
  ShortfallCode,
  TurnDetection,
} from '@parley/protocol';
import type { Approval, Calls } from './calls.js';
import type { ClientRoute } from './client-routes.js';
import type { Frame, ReceivedFrame } from './frame.js';
import { openLedger, type Ledger, type SaidMessage } from './ledger.js';
import type { RecordEffect } from './note.js';
import { noOverrides, type Overrides } from './overrides.js';
import type { CodeFor } from './own-ids.js';
import type { ProviderRoute } from './provider-routes.js';
import { firstSide, type ProviderSide, type RenewalFailure } from './provider-side.js';
import type { ToolDeclaration } from './tool-declaration.js';
import { quiet, type Turn } from './turn.js';

export type { Frame, ReceivedFrame, ToolDeclaration };

/**
 * One admitted session, without sockets and clocks: inputs go in, effects come out.
 *
 *   greeting     The provider is being dialled, or is connected and has not sent session.created.
 *                The client's socket is paused, so that nothing it sends is lost or queued here.
 *   listing      The provider is ready; the agent's tools are still being listed.
 *   configuring  The service has sent its session.update and waits for session.updated.
 *   running      Both sides talk. The idle timer and the end of the session are armed.
 *   renewing     The provider's side is gone, and another connection is being opened. The client's
 *                socket is paused again.
 *   closed       Inputs no longer have any effect.
 *
 * Before running, the session ends if the provider sends an error event, refuses or closes the
 * connection, or if the ready timer fires.
 */
export type Phase = 'greeting' | 'listing' | 'configuring' | 'running' | 'renewing' | 'closed';

export type SessionSettings = {
  readonly agentId: string;
  readonly model: string;
  readonly transcriptionModel: string;
  readonly voice: string;
  readonly turnDetection: TurnDetection;
  readonly outputModalities: OutputModalities;
  readonly inputAudioFormat: AudioFormat;
  readonly outputAudioFormat: AudioFormat;
  readonly instructions: string;
  readonly additionalInstructions: string | null;
  /** Undefined while they are being listed. */
  readonly backendTools: readonly ToolDeclaration[] | undefined;
  readonly clientTools: readonly ToolDeclaration[];
  readonly connectTimeoutSeconds: number;
  readonly idleTimeoutSeconds: number;
  readonly maxSessionSeconds: number;
  readonly clientToolTimeoutSeconds: number;
  /** How long the session waits for a client that lost its connection; null if it does not. */
  readonly resumeGraceSeconds: number | null;
  /** Whether the session continues one of another pod, which its client knows. */
  readonly isRestored: boolean;
  /** Open calls of that session. */
  readonly adopted: readonly AdoptedCall[];
  /**
   * Whether the client's session.update is refused, merged where the agent leaves fields open, or
   * forwarded unchanged.
   */
  readonly clientOverrides: 'refuse' | 'merge' | 'allow';
  readonly redactSessionEcho: 'off' | 'tools' | 'all';
  /**
   * For an OpenAI client, which gets the id of its conversation and sees nothing of backend calls.
   */
  readonly door: { readonly conversationId: string } | null;
  /** Computes the codes in the ids of what the service itself sends to the provider. */
  readonly codeFor: CodeFor;
  /** The part of the conversation's history that the provider gets. */
  readonly history: readonly PastItem[];
  /** The position of the conversation's last message; 0 in a new conversation. */
  readonly lastPosition: number;
  /** The connections to a provider, in the order in which they are tried; null is the default. */
  readonly connectionIds: readonly (string | null)[];
  /** How often in a minute the provider's side may be renewed; 0 if it never is. */
  readonly providerRenewals: number;
  /** Between 0 and 1: spreads the attempts of many sessions. */
  readonly jitter: number;
};

export type SessionState = {
  readonly phase: Phase;
  readonly settings: SessionSettings;
  readonly overrides: Overrides;
  /** The agent's voice has been heard, so the provider no longer changes it. */
  readonly spoken: boolean;
  readonly calls: Calls;
  /** What the client was asked to decide, the latest last. */
  readonly asked: readonly Approval[];
  readonly turn: Turn;
  /** How many events of its own the service has sent to the provider since the session opened. */
  readonly injected: number;
  readonly ledger: Ledger;
  /** Items that are hidden from a client at the door, each with the last visible item before it. */
  readonly unseen: ReadonlyMap<string, string | null>;
  /** When the provider will end the session, in seconds since 1970. */
  readonly providerEndsAt: number | undefined;
  readonly side: ProviderSide;
  /**
   * What happens to calls during a renewal, or still slips through from the client. It is handled
   * afterwards, in order.
   */
  readonly held: readonly Input[];
  /** How many seconds are left when the notice of the session's end is due. */
  readonly noticeSeconds: number;
};

/** `call …` runs while a client works on that call, `renewal …` as long as that renewal counts. */
export type TimerName =
  | ('ready' | 'idle' | 'expiring' | 'end' | 'quota' | 'grace')
  | ('renew_soon' | 'renew_now' | 'redial')
  | `renewal ${number}`
  | `call ${string}`;

/**
 * Which connection to the provider an input comes from; absent if it is the current one. What
 * earlier ones still say is not heard.
 */
type OfLeg = { readonly leg?: number };

/** A call as the model made it, and its position in the conversation. */
export type CallRequest = {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
  readonly position: number;
  /** The id of its item at the provider. */
  readonly itemId?: string;
};

/** A call of the session that this one continues. Nobody works on it. */
export type AdoptedCall = CallRequest & {
  readonly id: string;
  readonly messageId: string;
  /** What it waits for; null if nobody was asked. The deadline is in ISO 8601. */
  readonly asked: { readonly deadline: string; readonly approvers: readonly Approver[] } | null;
  /** How far its sub-agent has got, as it is stored. */
  readonly suspended?: unknown;
};

/** A frame, and when it arrived, in milliseconds since 1970. */
export type Received = { readonly frame: ReceivedFrame; readonly now: number };

/** How the session closes, and what the client is told. */
export type Ending = { readonly name: CloseName; readonly message: string };

export type Input =
  | (Received & { readonly kind: 'client.frame'; readonly route: ClientRoute })
  | { readonly kind: 'client.oversized' }
  | { readonly kind: 'client.stalled' }
  | { readonly kind: 'client.closed' }
  /** The client's connection is gone, but it may come back. */
  | { readonly kind: 'client.lost' }
  | { readonly kind: 'client.resumed' }
  /** From now on, the client cannot come back. */
  | { readonly kind: 'client.unresumable' }
  | (OfLeg & Received & { readonly kind: 'provider.frame'; readonly route: ProviderRoute })
  | (OfLeg & { readonly kind: 'provider.refused'; readonly reason: string })
  | (OfLeg & { readonly kind: 'provider.closed'; readonly code: number; readonly reason: string })
  | (OfLeg & { readonly kind: 'provider.oversized' })
  | (OfLeg & { readonly kind: 'provider.stalled' })
  | (OfLeg & { readonly kind: 'provider.silent' })
  /** What was said and done in the session so far, for the provider's new side. */
  | (OfLeg & { readonly kind: 'record.read'; readonly past: readonly PastItem[] })
  | (OfLeg & { readonly kind: 'record.unread' })
  /** The agent's tools, from the servers that answered in time. */
  | { readonly kind: 'tools.listed'; readonly tools: readonly ToolDeclaration[] }
  | { readonly kind: 'timer.fired'; readonly timer: TimerName }
  /** The message is committed, under this id. */
  | { readonly kind: 'record.stored'; readonly message: SaidMessage; readonly id: string }
  /** The message's words are replaced. */
  | { readonly kind: 'record.rewritten'; readonly id: string; readonly content: string }
  /** The message could not be stored. */
  | { readonly kind: 'record.failed' }
  /** A custom event about a call, for the client, and what it may decide from then on. */
  | { readonly kind: 'call.told'; readonly event: string; readonly asked?: Approval | undefined }
  /** It waits for a decision. Only the trace takes note. */
  | { readonly kind: 'call.waiting'; readonly callId: string }
  | { readonly kind: 'call.finished'; readonly callId: string; readonly output: string }
  /** The client's decision came too late, or could not be stored. */
  | {
      readonly kind: 'decision.refused';
      readonly approvalId: string;
      readonly because: 'late' | 'unavailable';
      /** The client's id for its decision. */
      readonly eventId?: string | undefined;
    }
  | { readonly kind: 'revoke.requested' }
  /** The organization has no tokens left for today. */
  | { readonly kind: 'quota.reached'; readonly secondsLeft: number }
  | { readonly kind: 'drain.requested' };

export type Effect =
  | RecordEffect
  /** Dial the connection that the state names, as the leg that it names. */
  | { readonly kind: 'dial' }
  | { readonly kind: 'resume_client' }
  | { readonly kind: 'pause_client' }
  /** Hang up on the provider, and hear nothing of it any more. */
  | { readonly kind: 'leave_provider' }
  /** Read what was said in the session; it comes back as an input. */
  | { readonly kind: 'read_record' }
  /** The provider was not ready on one of several connections when the session opened. */
  | { readonly kind: 'not_connected' }
  /** The provider's side is there again. */
  | { readonly kind: 'renewed'; readonly reason: RenewalReason }
  /** An attempt to renew it has failed. */
  | { readonly kind: 'not_renewed'; readonly failure: RenewalFailure }
  | { readonly kind: 'send_client'; readonly frame: Frame }
  | { readonly kind: 'send_provider'; readonly frame: Frame }
  /** Tell the client how to resume the session. */
  | { readonly kind: 'offer_resume'; readonly graceSeconds: number; readonly isRestored: boolean }
  /** Let another pod continue the session. */
  | { readonly kind: 'hand_over' }
  /** The client has received this many messages, it says, and may want to know that it is heard. */
  | {
      readonly kind: 'acknowledge';
      readonly received: number;
      readonly reply: boolean;
      readonly refusedId?: string | undefined;
    }
  /** Tell the client why its event was not forwarded. */
  | {
      readonly kind: 'refuse';
      readonly code: RefusalCode;
      readonly message: string;
      /** The client's id for its event. */
      readonly refusedId?: string;
    }
  /** Tell the client which parts of its event were not applied. */
  | { readonly kind: 'notice'; readonly code: NoticeCode; readonly fields: readonly string[] }
  /** Tell the client what the service could not do. */
  | {
      readonly kind: 'tell_error';
      readonly code: ShortfallCode;
      readonly message: string;
      readonly refusedId?: string;
    }
  /** The provider did not accept an event of the service itself. */
  | { readonly kind: 'report'; readonly code: string }
  | { readonly kind: 'start_call'; readonly call: CallRequest }
  | { readonly kind: 'adopt_call'; readonly call: AdoptedCall }
  | { readonly kind: 'cancel_calls'; readonly callIds: readonly string[] }
  | {
      readonly kind: 'decide_call';
      readonly approvalId: string;
      readonly approve: boolean;
      readonly eventId?: string | undefined;
    }
  | { readonly kind: 'arm_timer'; readonly timer: TimerName; readonly milliseconds: number }
  | { readonly kind: 'disarm_timer'; readonly timer: TimerName }
  /** Tell the client why, then close both sides. */
  | (Ending & { readonly kind: 'close' })
  /** The client is gone: close the provider's side. */
  | { readonly kind: 'hang_up' };

export type Step = { readonly state: SessionState; readonly effects: readonly Effect[] };

/** Shared, because they stay empty in most sessions. */
const none: ReadonlyMap<string, never> = new Map<string, never>();
const nothing: readonly never[] = [];

export function openSession(settings: SessionSettings): Step {
  return {
    state: {
      phase: 'greeting',
      settings,
      overrides: noOverrides,
      spoken: false,
      calls: none,
      asked: nothing,
      turn: quiet,
      injected: 0,
      ledger: openLedger(settings.lastPosition),
      unseen: none,
      providerEndsAt: undefined,
      side: firstSide,
      held: nothing,
      noticeSeconds: 0,
    },
    effects: [
      { kind: 'arm_timer', timer: 'ready', milliseconds: settings.connectTimeoutSeconds * 1000 },
      { kind: 'dial' },
    ],
  };
}

export function stay(state: SessionState, ...effects: Effect[]): Step {
  return { state, effects };
}

/** What a second step adds to a first one. */
export function follow(before: Step, { state, effects }: Step): Step {
  return { state, effects: [...before.effects, ...effects] };
}

export function sendClient(data: string): Effect {
  return { kind: 'send_client', frame: { data, binary: false } };
}

export function sendProvider(data: string): Effect {
  return { kind: 'send_provider', frame: { data, binary: false } };
}

export function closeWith(state: SessionState, name: CloseName, message: string): Step {
  return { state: { ...state, phase: 'closed' }, effects: [{ kind: 'close', name, message }] };
}
