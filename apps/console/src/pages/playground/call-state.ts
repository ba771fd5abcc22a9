import type { Activity, SessionState, TimelineEntry } from '@parley/client';
import type { SessionAudio } from '@parley/client/audio';
import type { RealtimeSessionResponse } from '@parley/client/server';
import type { Trouble } from './notice.js';
import { noRecords, type Records } from './records.js';
import { nothingSaid, type Said } from './stream.js';
import type { MicrophoneState } from './talk.js';

/** Who decided a call, and when. */
export type Verdict = { readonly by: string; readonly at: string; readonly approved: boolean };

/** Everything the page shows of a call. Unchanged parts keep their identity. */
export type CallState = Records & {
  readonly session: SessionState | 'none';
  readonly activity: Activity;
  readonly microphone: MicrophoneState;
  readonly muted: boolean;
  readonly held: boolean;
  readonly audio: SessionAudio | undefined;
  /** The microphone in use. */
  readonly deviceId: string | undefined;
  /** Typed text, held back until the session is open. */
  readonly outbox: string | null;
  readonly trouble: Trouble | null;
  readonly online: boolean;
  readonly said: Said;
  readonly entries: readonly TimelineEntry[];
  /** Decisions that are being sent. */
  readonly deciding: ReadonlySet<string>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly conversationId: string | undefined;
  /** The service's response when it created the newest session. */
  readonly created: RealtimeSessionResponse | undefined;
};

export const atRest: CallState = {
  ...noRecords,
  session: 'none',
  activity: 'idle',
  microphone: 'off',
  muted: false,
  held: false,
  audio: undefined,
  deviceId: undefined,
  outbox: null,
  trouble: null,
  online: true,
  said: nothingSaid,
  entries: [],
  deciding: new Set(),
  verdicts: new Map(),
  conversationId: undefined,
  created: undefined,
};
