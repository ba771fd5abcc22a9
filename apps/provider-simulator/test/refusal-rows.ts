// What a client may get wrong in one frame, and the provider's answer to it.
import { weatherTool } from './rehearsal.js';

export type Row = { title: string; frame: object; code: string | null; param: string | null };

const update = (session: unknown) => ({ type: 'session.update', session });
const create = (item: unknown, more: object = {}) => ({
  type: 'conversation.item.create',
  item,
  ...more,
});
const user = (...content: unknown[]) => create({ type: 'message', role: 'user', content });
const respond = (response: unknown) => ({ type: 'response.create', response });

export const refusalRows: Row[] = [
  {
    title: 'a response without a modality',
    frame: respond({ output_modalities: [] }),
    code: 'invalid_value',
    param: 'response.output_modalities',
  },
  {
    title: 'input audio of a response that is not base64',
    frame: respond({
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_audio', audio: '%' }] }],
    }),
    code: 'invalid_value',
    param: 'response.input[0].content[0].audio',
  },
  {
    title: 'an event without a type',
    frame: {},
    code: 'missing_required_parameter',
    param: 'type',
  },
  {
    title: 'an unknown event',
    frame: { type: 'session.destroy' },
    code: 'invalid_value',
    param: 'type',
  },
  { title: 'a type of the wrong type', frame: { type: 7 }, code: 'invalid_value', param: 'type' },
  {
    title: 'a type that every object has',
    frame: { type: 'constructor' },
    code: 'invalid_value',
    param: 'type',
  },
  {
    title: 'an unknown field',
    frame: { type: 'response.cancel', why: 'x' },
    code: 'unknown_parameter',
    param: 'why',
  },
  {
    title: 'a session without a type',
    frame: update({ instructions: 'x' }),
    code: 'missing_required_parameter',
    param: 'session.type',
  },
  {
    title: 'a session of another type',
    frame: update({ type: 'transcription' }),
    code: 'invalid_value',
    param: 'session.type',
  },
  {
    title: 'an unknown session field',
    frame: update({ type: 'realtime', modalities: ['text'] }),
    code: 'unknown_parameter',
    param: 'session.modalities',
  },
  {
    title: 'an unknown field of a tool',
    frame: update({ type: 'realtime', tools: [weatherTool, { ...weatherTool, meta: {} }] }),
    code: 'unknown_parameter',
    param: 'session.tools[1].meta',
  },
  {
    title: 'a model that is none',
    frame: update({ type: 'realtime', model: 7 }),
    code: 'invalid_type',
    param: 'session.model',
  },
  {
    title: 'an unknown field, though it is null',
    frame: update({ type: 'realtime', modalities: null }),
    code: 'unknown_parameter',
    param: 'session.modalities',
  },
  {
    title: 'a type that is null',
    frame: update({ type: null }),
    code: 'invalid_value',
    param: 'session.type',
  },
  {
    title: 'two modalities at once',
    frame: update({ type: 'realtime', output_modalities: ['text', 'audio'] }),
    code: 'invalid_value',
    param: 'session.output_modalities',
  },
  {
    title: 'a rate that is not 24 kHz',
    frame: update({
      type: 'realtime',
      audio: { input: { format: { type: 'audio/pcm', rate: 16000 } } },
    }),
    code: 'invalid_value',
    param: 'session.audio.input.format.rate',
  },
  {
    title: 'a speed beyond the limit',
    frame: update({ type: 'realtime', audio: { output: { speed: 2 } } }),
    code: 'integer_above_max_value',
    param: 'session.audio.output.speed',
  },
  {
    title: 'a field of the other turn detector',
    frame: update({
      type: 'realtime',
      audio: { input: { turn_detection: { type: 'semantic_vad', threshold: 0.5 } } },
    }),
    code: 'unknown_parameter',
    param: 'session.audio.input.turn_detection.threshold',
  },
  {
    title: 'audio that is not base64',
    frame: { type: 'input_audio_buffer.append', audio: '!!' },
    code: 'invalid_value',
    param: 'audio',
  },
  {
    title: 'audio that is not a string',
    frame: { type: 'input_audio_buffer.append', audio: [1] },
    code: 'invalid_type',
    param: 'audio',
  },
  {
    title: 'a commit of nothing',
    frame: { type: 'input_audio_buffer.commit' },
    code: 'input_audio_buffer_commit_empty',
    param: null,
  },
  {
    title: 'an item that is not an object',
    frame: create('hello'),
    code: 'invalid_type',
    param: 'item',
  },
  {
    title: 'an item of an unknown type',
    frame: create({ type: 'thought' }),
    code: 'invalid_value',
    param: 'item.type',
  },
  {
    title: 'audio in the model’s mouth',
    frame: create({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_audio', audio: 'AAAA' }],
    }),
    code: 'invalid_value',
    param: 'item.content[0].type',
  },
  {
    title: 'user content that is not base64',
    frame: user({ type: 'input_audio', audio: '%' }),
    code: 'invalid_value',
    param: 'item.content[0].audio',
  },
  {
    title: 'an unknown previous item',
    frame: { ...user(), previous_item_id: 'item_none' },
    code: 'item_create_invalid_previous_item_id',
    param: 'previous_item_id',
  },
  {
    title: 'an output of no call',
    frame: create({ type: 'function_call_output', call_id: 'call_none', output: '' }),
    code: 'invalid_tool_call_id',
    param: null,
  },
  {
    title: 'the retrieval of no item',
    frame: { type: 'conversation.item.retrieve', item_id: 'x' },
    code: 'item_retrieve_invalid_item_id',
    param: 'item_id',
  },
  {
    title: 'the deletion of no item',
    frame: { type: 'conversation.item.delete', item_id: 'x' },
    code: 'item_delete_invalid_item_id',
    param: 'item_id',
  },
  {
    title: 'the truncation of no item',
    frame: { type: 'conversation.item.truncate', item_id: 'x', content_index: 0, audio_end_ms: 0 },
    code: 'item_truncate_invalid_item_id',
    param: 'item_id',
  },
  {
    title: 'a truncation without a place',
    frame: { type: 'conversation.item.truncate', item_id: 'x' },
    code: 'missing_required_parameter',
    param: 'content_index',
  },
  {
    title: 'a cancellation of nothing',
    frame: { type: 'response.cancel' },
    code: 'response_cancel_not_active',
    param: null,
  },
  {
    title: 'the clearing of a WebRTC buffer',
    frame: { type: 'output_audio_buffer.clear' },
    code: 'invalid_value',
    param: 'type',
  },
  {
    title: 'an unknown field of a response',
    frame: respond({ modalities: ['text'] }),
    code: 'unknown_parameter',
    param: 'response.modalities',
  },
  {
    title: 'no output tokens',
    frame: respond({ max_output_tokens: 0 }),
    code: 'integer_below_min_value',
    param: 'response.max_output_tokens',
  },
  {
    title: 'a reference to no item',
    frame: respond({ input: [{ type: 'item_reference', id: 'x' }] }),
    code: 'invalid_value',
    param: 'response.input[0].id',
  },
  {
    title: 'a broken input item',
    frame: respond({ input: [{ type: 'message' }] }),
    code: 'missing_required_parameter',
    param: 'response.input[0].role',
  },
];
