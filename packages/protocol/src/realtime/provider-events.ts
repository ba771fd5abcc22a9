/**
 * What happens to a provider's frame. The names are metric labels, the texts rows of the
 * documentation.
 */
export const providerRoutes = {
  forward: 'Forwarded to the client unchanged.',
  unknown: 'An event unknown to the service: forwarded unchanged.',
  binary: 'A binary frame: forwarded unchanged.',
  mention: 'Forwarded unchanged; announces an item or a call’s arguments.',
  turn: 'Forwarded unchanged; the user has stopped speaking.',
  audio: 'Forwarded unchanged; a piece of the agent’s voice.',
  session: 'Forwarded, unchanged unless the echo is redacted; advances the opening of the session.',
  error:
    'Forwarded unchanged; ends a session that is still opening; withheld if it responds to an event of the service itself.',
  call: 'Forwarded unchanged; a call of a backend tool starts, a call of a client tool is for the client to answer.',
  beginning: 'Forwarded unchanged; the service requests no other response until it ends.',
  speech: 'Forwarded unchanged; the user’s turn is over without a response.',
  slot: 'Forwarded unchanged; announces the position of a message in the conversation. While the user speaks, the service requests no response.',
  transcript:
    'Forwarded unchanged; what the user said is stored, then announced with message.created. A later text for the same item replaces it, announced with message.updated.',
  answer:
    'Forwarded unchanged; what the agent said is stored, then announced with response.id and response.completed.',
  truncation: 'Forwarded unchanged; marks the message as interrupted.',
  outcome:
    'Forwarded unchanged; counts the usage, marks interrupted messages and ends their calls, and stores an answer that no other event contained. For a response outside the conversation, only the usage counts.',
} as const satisfies Record<string, string>;

export type ProviderRoute = keyof typeof providerRoutes;

/** Every known event of the provider, by its type. */
export const providerEvents = {
  'conversation.created': 'forward',
  'conversation.item.added': 'slot',
  'conversation.item.created': 'slot',
  'conversation.item.deleted': 'forward',
  'conversation.item.done': 'mention',
  'conversation.item.input_audio_transcription.completed': 'transcript',
  'conversation.item.input_audio_transcription.delta': 'forward',
  'conversation.item.input_audio_transcription.failed': 'transcript',
  'conversation.item.input_audio_transcription.segment': 'forward',
  'conversation.item.retrieved': 'mention',
  'conversation.item.truncated': 'truncation',
  error: 'error',
  'input_audio.transcript.done': 'transcript',
  'input_audio_buffer.cleared': 'speech',
  'input_audio_buffer.committed': 'slot',
  'input_audio_buffer.dtmf_event_received': 'forward',
  'input_audio_buffer.speech_started': 'slot',
  'input_audio_buffer.speech_stopped': 'turn',
  'input_audio_buffer.timeout_triggered': 'forward',
  'mcp_list_tools.completed': 'forward',
  'mcp_list_tools.failed': 'forward',
  'mcp_list_tools.in_progress': 'forward',
  'output_audio_buffer.cleared': 'forward',
  'output_audio_buffer.started': 'forward',
  'output_audio_buffer.stopped': 'forward',
  'rate_limits.updated': 'forward',
  'response.audio.delta': 'audio',
  'response.audio.done': 'forward',
  'response.audio_transcript.delta': 'forward',
  'response.audio_transcript.done': 'answer',
  'response.content.done': 'answer',
  'response.content_part.added': 'forward',
  'response.content_part.done': 'forward',
  'response.created': 'beginning',
  'response.done': 'outcome',
  'response.function_call_arguments.delta': 'mention',
  'response.function_call_arguments.done': 'call',
  'response.mcp_call.completed': 'forward',
  'response.mcp_call.failed': 'forward',
  'response.mcp_call.in_progress': 'forward',
  'response.mcp_call_arguments.delta': 'forward',
  'response.mcp_call_arguments.done': 'forward',
  'response.output_audio.delta': 'audio',
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
