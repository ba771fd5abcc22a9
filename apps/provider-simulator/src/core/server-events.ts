// Every event the simulator can send, with its body. `serverEventTypes` is the list that the tests
// walk to see that each one was sent and fits the provider's schema.
import type { Item } from './items.js';
import type { Response } from './response.js';
import type { Session } from './session-config.js';
import type { TranscriptionUsage } from './usage.js';

type InResponse = { response_id: string; item_id: string; output_index: number };
type InContent = InResponse & { content_index: number };
type Delta = { delta: string; obfuscation?: string };
type Part = { type: 'audio'; transcript: string } | { type: 'text'; text: string };
type ItemPlace = { previous_item_id: string | null; item: Item };
type Transcript = { item_id: string; content_index: number };

export type ErrorBody = {
  type: string;
  code: string | null;
  message: string;
  param: string | null;
  event_id: string | null;
};

export type ServerEventBodies = {
  'session.created': { session: Session };
  'session.updated': { session: Session };
  error: { error: ErrorBody };
  'rate_limits.updated': {
    rate_limits: { name: string; limit: number; remaining: number; reset_seconds: number }[];
  };
  'input_audio_buffer.committed': { previous_item_id: string | null; item_id: string };
  'input_audio_buffer.cleared': object;
  'input_audio_buffer.speech_started': { audio_start_ms: number; item_id: string };
  'input_audio_buffer.speech_stopped': { audio_end_ms: number; item_id: string };
  'input_audio_buffer.timeout_triggered': {
    audio_start_ms: number;
    audio_end_ms: number;
    item_id: string;
  };
  'conversation.item.added': ItemPlace;
  'conversation.item.done': ItemPlace;
  'conversation.item.retrieved': { item: Item };
  'conversation.item.deleted': { item_id: string };
  'conversation.item.truncated': {
    item_id: string;
    content_index: number;
    audio_end_ms: number;
  };
  'conversation.item.input_audio_transcription.delta': Transcript & Delta;
  'conversation.item.input_audio_transcription.completed': Transcript & {
    transcript: string;
    usage: TranscriptionUsage;
  };
  'conversation.item.input_audio_transcription.failed': Transcript & {
    error: { type: string; code: string; message: string; param: null };
  };
  'response.created': { response: Response };
  'response.done': { response: Response };
  'response.output_item.added': { response_id: string; output_index: number; item: Item };
  'response.output_item.done': { response_id: string; output_index: number; item: Item };
  'response.content_part.added': InContent & { part: Part; content?: Part };
  'response.content_part.done': InContent & { part: Part; content?: Part };
  'response.output_audio.delta': InContent & { delta: string };
  'response.output_audio.done': InContent;
  'response.output_audio_transcript.delta': InContent & Delta;
  'response.output_audio_transcript.done': InContent & { transcript: string };
  'response.output_text.delta': InContent & Delta;
  'response.output_text.done': InContent & { text: string };
  'response.function_call_arguments.delta': InResponse & { call_id: string } & Delta;
  'response.function_call_arguments.done': InResponse & {
    call_id: string;
    name: string;
    arguments: string;
  };
};

export type ServerEventType = keyof ServerEventBodies;

export type ServerEvent = {
  [T in ServerEventType]: { type: T; event_id: string } & ServerEventBodies[T];
}[ServerEventType];

const known: Record<ServerEventType, true> = {
  'session.created': true,
  'session.updated': true,
  error: true,
  'rate_limits.updated': true,
  'input_audio_buffer.committed': true,
  'input_audio_buffer.cleared': true,
  'input_audio_buffer.speech_started': true,
  'input_audio_buffer.speech_stopped': true,
  'input_audio_buffer.timeout_triggered': true,
  'conversation.item.added': true,
  'conversation.item.done': true,
  'conversation.item.retrieved': true,
  'conversation.item.deleted': true,
  'conversation.item.truncated': true,
  'conversation.item.input_audio_transcription.delta': true,
  'conversation.item.input_audio_transcription.completed': true,
  'conversation.item.input_audio_transcription.failed': true,
  'response.created': true,
  'response.done': true,
  'response.output_item.added': true,
  'response.output_item.done': true,
  'response.content_part.added': true,
  'response.content_part.done': true,
  'response.output_audio.delta': true,
  'response.output_audio.done': true,
  'response.output_audio_transcript.delta': true,
  'response.output_audio_transcript.done': true,
  'response.output_text.delta': true,
  'response.output_text.done': true,
  'response.function_call_arguments.delta': true,
  'response.function_call_arguments.done': true,
};

export const serverEventTypes = Object.keys(known) as readonly ServerEventType[];
