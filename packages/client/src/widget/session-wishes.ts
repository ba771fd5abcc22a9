import type { Talk } from './situation.js';

/** What the widget requests of a session in addition to the agent's own settings. */
export type Wishes = {
  /** The user reads and writes, so no voice is needed. */
  readonly inWriting: boolean;
  /** Turn detection is off (push-to-talk). */
  readonly byHand: boolean;
};

/** The state of a new session. */
export const noWishes: Wishes = { inWriting: false, byHand: false };

export function wishesFor(microphone: 'off' | 'asking' | 'on' | 'muted', talk: Talk): Wishes {
  const inWriting = microphone === 'off';
  return { inWriting, byHand: talk === 'push' && !inWriting };
}

/** The part of a `session.update` that changes one into the other; undefined if nothing differs. */
export function sessionChange(before: Wishes, after: Wishes): object | undefined {
  const change = {
    ...(before.inWriting !== after.inWriting && {
      output_modalities: [after.inWriting ? 'text' : 'audio'],
    }),
    ...(before.byHand !== after.byHand && {
      audio: { input: { turn_detection: after.byHand ? null : { type: 'semantic_vad' } } },
    }),
  };
  return Object.keys(change).length === 0 ? undefined : { type: 'realtime', ...change };
}
