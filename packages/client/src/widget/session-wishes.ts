import type { Talk } from './situation.js';

/** What the widget would like of a session beside the agent's own settings. */
export type Wishes = {
  /** The user reads and writes: nobody is there to hear a voice. */
  readonly inWriting: boolean;
  /** The provider does not decide when the user has finished. */
  readonly byHand: boolean;
};

/** What a session begins with. */
export const noWishes: Wishes = { inWriting: false, byHand: false };

export function wishesFor(microphone: 'off' | 'asking' | 'on' | 'muted', talk: Talk): Wishes {
  const inWriting = microphone === 'off';
  return { inWriting, byHand: talk === 'push' && !inWriting };
}

/** The part of a `session.update` that leads from one to the other; undefined if nothing is to be told. */
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
