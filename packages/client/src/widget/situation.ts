import type { ParleyErrorCode } from '../errors.js';
import type { Approval, Message, ToolCall } from '../session/conversation.js';
import type { SessionState } from '../session/session-events.js';
import type { CallPlaces } from '../session/timeline.js';

export type Mode = 'voice' | 'text';
export type Talk = 'hands-free' | 'push';
export type Decision = 'approved' | 'rejected';

/** The last failure of the session, as far as it concerns the user. */
export type Trouble =
  | {
      readonly kind: 'failed';
      readonly code: ParleyErrorCode;
      readonly reason?: string | undefined;
      readonly retry?: boolean;
    }
  /** The agent could not answer; the session continues. */
  | { readonly kind: 'problem' };

/** The whole state behind the widget. Plain data: a view is a function of it. */
export type Situation = {
  readonly mode: Mode;
  readonly talk: Talk;
  readonly online: boolean;
  readonly session: SessionState | 'none';
  readonly activity: 'idle' | 'listening' | 'thinking' | 'speaking';
  readonly microphone: 'off' | 'asking' | 'on' | 'muted';
  /** The user is holding the push-to-talk button. */
  readonly held: boolean;
  /** Typed text, held back until the session is open. */
  readonly outbox: string | null;
  readonly trouble: Trouble | null;
  /** Why the user cannot talk. It does not concern the session, which goes on in writing. */
  readonly audioTrouble: ParleyErrorCode | null;
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
  readonly approvals: readonly Approval[];
  readonly places: CallPlaces;
  /** The user's decisions in this widget, by call. */
  readonly decisions: ReadonlyMap<string, Decision>;
};

export const atRest: Situation = {
  mode: 'voice',
  talk: 'hands-free',
  online: true,
  session: 'none',
  activity: 'idle',
  microphone: 'off',
  held: false,
  outbox: null,
  trouble: null,
  audioTrouble: null,
  messages: [],
  calls: [],
  approvals: [],
  places: new Map(),
  decisions: new Map(),
};
