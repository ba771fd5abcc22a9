// What the parts of one session share. Nothing in here touches a socket, a clock or randomness:
// ids come from a seeded source, time from timers that the shell keeps.
import type { AudioFormat } from './audio-format.js';
import type { IdSource } from './ids.js';
import type { Conversation } from './items.js';
import type { Outbox } from './outbox.js';
import type { Pacing } from './script.js';
import type { Session } from './session-config.js';

export type VoiceRequest = { text: string; format: AudioFormat; voice: string; speed: number };

export type EngineOptions = {
  model: string;
  seed: number;
  /** Azure's dialect: content part events carry a second copy of the part. */
  azure: boolean;
  pacing: Pacing;
  transcriptionDelayMs: number;
  /** Until the session ends, and until `expires_at` if that should differ. */
  sessionSeconds: number;
  announcedSeconds?: number;
  sessionUpdate: 'answer' | 'refuse' | 'ignore';
  transcription: 'answer' | 'deployment-missing';
  unknownEvents: boolean;
  /** Whether something happens for the first time, on whatever connection. */
  isFirst?: (name: string) => boolean;
  /** Both are pure functions: the same text is the same sound, and the same sound the same text. */
  speak: (request: VoiceRequest) => Buffer;
  hear: (bytes: Buffer, format: AudioFormat) => string;
};

export type World = {
  readonly options: EngineOptions;
  readonly ids: IdSource;
  readonly out: Outbox;
  readonly conversation: Conversation;
  readonly conversationId: string;
  session: Session;
  audioSent: boolean;
  /** Nothing is sent or answered any more. */
  hung: boolean;
};
