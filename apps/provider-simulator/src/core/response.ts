import type { AudioFormat } from './audio-format.js';
import type { Item } from './items.js';
import type { Modality } from './session-config.js';
import type { Usage } from './usage.js';

export type StatusDetails =
  | { type: 'cancelled'; reason: 'turn_detected' | 'client_cancelled' }
  | { type: 'incomplete'; reason: 'max_output_tokens' | 'content_filter' }
  | { type: 'failed'; error: { type: string; code: string } };

export type ResponseStatus = 'in_progress' | 'completed' | StatusDetails['type'];

export type Response = {
  object: 'realtime.response';
  id: string;
  status: ResponseStatus;
  status_details: StatusDetails | null;
  output: Item[];
  conversation_id: string | null;
  output_modalities: Modality[];
  max_output_tokens: number | 'inf';
  audio: { output: { format: AudioFormat; voice: string } };
  usage: Usage | null;
  metadata: unknown;
};
