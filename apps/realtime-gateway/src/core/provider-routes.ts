import { firstType } from './event-type.js';

/** What can happen to a provider's frame. The names are metric labels, the texts rows of the documentation. */
export const providerRoutes = {
  forward: 'Forwarded to the client unchanged.',
  unknown: 'An event that the service does not know: forwarded unchanged.',
  binary: 'A binary frame: forwarded unchanged.',
  session: 'Forwarded, unchanged unless the echo is redacted; moves the opening of the session on.',
  error:
    'Forwarded unchanged; ends a session that is still opening; withheld if it answers an event of the service itself.',
  call: 'Forwarded unchanged; tells whose tool the model calls.',
} as const satisfies Record<string, string>;

export type ProviderRoute = keyof typeof providerRoutes;

/** Every event that the provider is known to send, by its type. */
export const providerEvents = {
  'conversation.created': 'forward',
  'conversation.item.added': 'forward',
  'conversation.item.created': 'forward',
  'conversation.item.deleted': 'forward',
  'conversation.item.done': 'forward',
  'conversation.item.input_audio_transcription.completed': 'forward',
  'conversation.item.input_audio_transcription.delta': 'forward',
  'conversation.item.input_audio_transcription.failed': 'forward',
  'conversation.item.input_audio_transcription.segment': 'forward',
  'conversation.item.retrieved': 'forward',
  'conversation.item.truncated': 'forward',
  error: 'error',
  'input_audio.transcript.done': 'forward',
  'input_audio_buffer.cleared': 'forward',
  'input_audio_buffer.committed': 'forward',
  'input_audio_buffer.dtmf_event_received': 'forward',
  'input_audio_buffer.speech_started': 'forward',
  'input_audio_buffer.speech_stopped': 'forward',
  'input_audio_buffer.timeout_triggered': 'forward',
  'mcp_list_tools.completed': 'forward',
  'mcp_list_tools.failed': 'forward',
  'mcp_list_tools.in_progress': 'forward',
  'output_audio_buffer.cleared': 'forward',
  'output_audio_buffer.started': 'forward',
  'output_audio_buffer.stopped': 'forward',
  'rate_limits.updated': 'forward',
  'response.audio.delta': 'forward',
  'response.audio.done': 'forward',
  'response.audio_transcript.delta': 'forward',
  'response.audio_transcript.done': 'forward',
  'response.content.done': 'forward',
  'response.content_part.added': 'forward',
  'response.content_part.done': 'forward',
  'response.created': 'forward',
  'response.done': 'forward',
  'response.function_call_arguments.delta': 'forward',
  'response.function_call_arguments.done': 'call',
  'response.mcp_call.completed': 'forward',
  'response.mcp_call.failed': 'forward',
  'response.mcp_call.in_progress': 'forward',
  'response.mcp_call_arguments.delta': 'forward',
  'response.mcp_call_arguments.done': 'forward',
  'response.output_audio.delta': 'forward',
  'response.output_audio.done': 'forward',
  'response.output_audio_transcript.delta': 'forward',
  'response.output_audio_transcript.done': 'forward',
  'response.output_item.added': 'call',
  'response.output_item.done': 'call',
  'response.output_text.delta': 'forward',
  'response.output_text.done': 'forward',
  'session.created': 'session',
  'session.updated': 'session',
} as const satisfies Record<string, ProviderRoute>;

const byType = new Map<string, ProviderRoute>(Object.entries(providerEvents));

export function providerRoute(data: Buffer, binary: boolean): ProviderRoute {
  if (binary) return 'binary';
  return byType.get(firstType(data) ?? '') ?? 'unknown';
}
