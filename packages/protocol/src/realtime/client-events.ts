/**
 * What happens to a client's frame. The names are metric labels, the texts rows of the
 * documentation.
 */
export const clientRoutes = {
  forward: 'Forwarded to the provider unchanged.',
  unknown: 'An event unknown to the service: forwarded unchanged, for the provider to handle.',
  binary:
    'A binary frame: forwarded unchanged. One that contains a JSON object is treated like text.',
  settings:
    'Fields that the agent leaves open are sent to the provider, which responds with session.updated; session.notice lists the ignored fields. If client overrides are refused: SessionUpdateNotAllowed.',
  response:
    'Forwarded unchanged, after the outputs of backend tools that belong to it; fields that would replace a part of the agent are removed and listed in session.notice or, if client overrides are refused, it is refused with ResponseOverrideNotAllowed.',
  item: 'Forwarded unchanged; text of the user is stored and announced, and a message of the assistant is stored with the author `client`. Refused with FunctionOutputNotAllowed if it is an output for anything but an open client tool call, and with ItemNotAllowed if it would speak for the service.',
  removal: 'Forwarded unchanged; refused with ItemNotAllowed if the item is the service’s own.',
  approval:
    'Consumed by the service: decides the call; refused with ApprovalNotWaiting if no such call is waiting, and with ApproverNotAllowed if the client may not decide it.',
  ack: 'Consumed by the service in a resumable session: `received` is how many messages the client has received, which the service no longer keeps. With `reply: true`, it answers with session.acknowledged at once, which shows that the connection works. Forwarded unchanged in other sessions.',
  malformed: 'Refused with EventMalformed: not a JSON object with exactly one type.',
} as const satisfies Record<string, string>;

export type ClientRoute = keyof typeof clientRoutes;

/** Every event that a client may send, by its type. */
export const clientEvents = {
  'approval.approve': 'approval',
  'approval.reject': 'approval',
  'conversation.item.create': 'item',
  'conversation.item.delete': 'removal',
  'conversation.item.retrieve': 'forward',
  'conversation.item.truncate': 'forward',
  'input_audio_buffer.append': 'forward',
  'input_audio_buffer.clear': 'forward',
  'input_audio_buffer.commit': 'forward',
  'output_audio_buffer.clear': 'forward',
  'response.cancel': 'forward',
  'response.create': 'response',
  'session.ack': 'ack',
  'session.update': 'settings',
  'transcription_session.update': 'settings',
} as const satisfies Record<string, ClientRoute>;
