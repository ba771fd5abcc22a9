import { firstType } from './event-type.js';

/** What can happen to a provider's frame. The names are metric labels, the texts rows of the documentation. */
export const providerRoutes = {
  forward: 'Forwarded to the client unchanged.',
  unknown: 'An event that the service does not know: forwarded unchanged.',
  binary: 'A binary frame: forwarded unchanged.',
  session: 'Forwarded, unchanged unless the echo is redacted; moves the opening of the session on.',
  error:
    'Forwarded unchanged; ends a session that is still opening; withheld if it answers an event of the service itself.',
  call: 'Forwarded unchanged; a call of a backend tool starts, one of a client tool is the client’s to answer.',
  beginning: 'Forwarded unchanged; until its end the service asks for no other response.',
  slot: 'Forwarded unchanged; tells where a message stands in the conversation.',
  transcript:
    'Forwarded unchanged; what the user said is stored, then announced with message.created.',
  answer:
    'Forwarded unchanged; what the agent said is stored, then announced with response.id and response.completed.',
  truncation: 'Forwarded unchanged; marks the message as interrupted.',
  outcome:
    'Forwarded unchanged; counts the usage, marks what was cut off and ends its calls, and stores an answer that no other event told.',
} as const satisfies Record<string, string>;

export type ProviderRoute = keyof typeof providerRoutes;

/** Every event that the provider is known to send, by its type. */
export const providerEvents = {
  'conversation.created': 'forward',
  'conversation.item.added': 'slot',
  'conversation.item.created': 'slot',
  'conversation.item.deleted': 'forward',
  'conversation.item.done': 'forward',
  'conversation.item.input_audio_transcription.completed': 'transcript',
  'conversation.item.input_audio_transcription.delta': 'forward',
  'conversation.item.input_audio_transcription.failed': 'transcript',
  'conversation.item.input_audio_transcription.segment': 'forward',
  'conversation.item.retrieved': 'forward',
  'conversation.item.truncated': 'truncation',
  error: 'error',
  'input_audio.transcript.done': 'transcript',
  'input_audio_buffer.cleared': 'forward',
  'input_audio_buffer.committed': 'slot',
  'input_audio_buffer.dtmf_event_received': 'forward',
  'input_audio_buffer.speech_started': 'slot',
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
  'response.audio_transcript.done': 'answer',
  'response.content.done': 'answer',
  'response.content_part.added': 'forward',
  'response.content_part.done': 'forward',
  'response.created': 'beginning',
  'response.done': 'outcome',
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
  'response.output_audio_transcript.done': 'answer',
  'response.output_item.added': 'call',
  'response.output_item.done': 'call',
  'response.output_text.delta': 'forward',
  'response.output_text.done': 'answer',
  'session.created': 'session',
  'session.updated': 'session',
} as const satisfies Record<string, ProviderRoute>;

const byType = new Map<string, ProviderRoute>(Object.entries(providerEvents));

export function providerRoute(data: Buffer, binary: boolean): ProviderRoute {
  if (binary) return 'binary';
  return byType.get(firstType(data) ?? '') ?? 'unknown';
}
