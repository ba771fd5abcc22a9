import type {
  AudioFormat,
  CloseName,
  PastItem,
  RefusalCode,
  ShortfallCode,
} from '@parley/protocol';
import type { ClientRoute } from './client-routes.js';
import { openLedger, type Ledger, type SaidMessage } from './ledger.js';
import type { RecordEffect } from './note.js';
import type { ProviderRoute } from './provider-routes.js';

/**
 * One admitted session, seen without sockets and clocks: inputs go in, effects come out.
 *
 *   greeting     The provider is being dialled, or is connected and has not said session.created. The client's socket is
 *                paused, so that nothing it sends is lost or queued here.
 *   configuring  The service has sent its session.update and waits for session.updated.
 *   running      Both sides talk. The idle timer and the end of the session are armed.
 *   closed       Nothing has an effect any more.
 *
 * An error event of the provider, its refusal, its close or the ready timer in the first two phases ends the session.
 */
export type Phase = 'greeting' | 'configuring' | 'running' | 'closed';

export type ToolDeclaration = {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

export type SessionSettings = {
  readonly agentId: string;
  readonly model: string;
  readonly transcriptionModel: string;
  readonly voice: string;
  readonly inputAudioFormat: AudioFormat;
  readonly outputAudioFormat: AudioFormat;
  readonly instructions: string;
  readonly additionalInstructions: string | null;
  readonly backendTools: readonly ToolDeclaration[];
  readonly clientTools: readonly ToolDeclaration[];
  readonly connectTimeoutSeconds: number;
  readonly idleTimeoutSeconds: number;
  readonly maxSessionSeconds: number;
  readonly clientOverrides: 'refuse' | 'allow';
  readonly redactSessionEcho: boolean;
  /** What is told to the provider of the conversation's past. */
  readonly history: readonly PastItem[];
  /** Where the conversation's last message stands; 0 in a new one. */
  readonly lastPosition: number;
};

/** A tool call of the model: who answers it, and whether that has happened. */
export type Call = { readonly owner: 'client' | 'backend'; readonly answered: boolean };

export type SessionState = {
  readonly phase: Phase;
  readonly settings: SessionSettings;
  readonly calls: ReadonlyMap<string, Call>;
  readonly ledger: Ledger;
  /** When the provider said that it would end the session, in seconds since 1970. */
  readonly providerEndsAt: number | undefined;
  /** How many seconds are left when the notice of the session's end is due. */
  readonly noticeSeconds: number;
};

export type Frame = { readonly data: Buffer | string; readonly binary: boolean };
export type ReceivedFrame = { readonly data: Buffer; readonly binary: boolean };

export type TimerName = 'ready' | 'idle' | 'expiring' | 'end';

export type Input =
  | {
      readonly kind: 'client.frame';
      readonly route: ClientRoute;
      readonly frame: ReceivedFrame;
      /** Milliseconds since 1970. */
      readonly now: number;
    }
  | { readonly kind: 'client.oversized' }
  | { readonly kind: 'client.stalled' }
  | { readonly kind: 'client.closed' }
  | {
      readonly kind: 'provider.frame';
      readonly route: ProviderRoute;
      readonly frame: ReceivedFrame;
      /** Milliseconds since 1970. */
      readonly now: number;
    }
  | { readonly kind: 'provider.refused'; readonly reason: string }
  | { readonly kind: 'provider.closed'; readonly code: number; readonly reason: string }
  | { readonly kind: 'provider.oversized' }
  | { readonly kind: 'provider.stalled' }
  | { readonly kind: 'provider.silent' }
  | { readonly kind: 'timer.fired'; readonly timer: TimerName }
  /** The message is committed, under this id. */
  | { readonly kind: 'record.stored'; readonly message: SaidMessage; readonly id: string }
  /** The message is given up. */
  | { readonly kind: 'record.failed' }
  | { readonly kind: 'drain.requested' };

export type Effect =
  | RecordEffect
  | { readonly kind: 'dial' }
  | { readonly kind: 'resume_client' }
  | { readonly kind: 'send_client'; readonly frame: Frame }
  | { readonly kind: 'send_provider'; readonly frame: Frame }
  /** Tell the client why its event was not passed on. */
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly message: string }
  /** Tell the client what the service could not do. */
  | { readonly kind: 'tell_error'; readonly code: ShortfallCode; readonly message: string }
  /** The provider did not take an event of the service itself. */
  | { readonly kind: 'report'; readonly code: string }
  | { readonly kind: 'arm_timer'; readonly timer: TimerName; readonly milliseconds: number }
  | { readonly kind: 'disarm_timer'; readonly timer: TimerName }
  /** Tell the client why, then close both sides. */
  | { readonly kind: 'close'; readonly name: CloseName; readonly message: string }
  /** The client is gone: close the provider's side. */
  | { readonly kind: 'hang_up' };

export type Step = { readonly state: SessionState; readonly effects: readonly Effect[] };

export function openSession(settings: SessionSettings): Step {
  return {
    state: {
      phase: 'greeting',
      settings,
      calls: new Map(),
      ledger: openLedger(settings.lastPosition),
      providerEndsAt: undefined,
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

export function closeWith(state: SessionState, name: CloseName, message: string): Step {
  return { state: { ...state, phase: 'closed' }, effects: [{ kind: 'close', name, message }] };
}
