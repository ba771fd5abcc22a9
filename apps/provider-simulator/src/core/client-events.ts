// The events that a client may send, one row each. A frame becomes either a known event or a
// refusal; nothing here throws, and a refused frame does not change the session.
import {
  tooDeep,
  findProblem,
  anything,
  integer,
  isObject,
  nullable,
  object,
  string,
  withoutNulls,
  type Shape,
} from './shape.js';
import { responseShape } from './session-shape.js';

const base = { type: string, event_id: string };

export const clientEventShapes = {
  'session.update': object({ ...base, session: anything }, 'session'),
  'input_audio_buffer.append': object({ ...base, audio: string }, 'audio'),
  'input_audio_buffer.commit': object(base),
  'input_audio_buffer.clear': object(base),
  'conversation.item.create': object(
    { ...base, previous_item_id: nullable(string), item: anything },
    'item',
  ),
  'conversation.item.retrieve': object({ ...base, item_id: string }, 'item_id'),
  'conversation.item.delete': object({ ...base, item_id: string }, 'item_id'),
  'conversation.item.truncate': object(
    { ...base, item_id: string, content_index: integer(0), audio_end_ms: integer(0) },
    'item_id',
    'content_index',
    'audio_end_ms',
  ),
  'response.create': object({ ...base, response: nullable(responseShape) }),
  'response.cancel': object({ ...base, response_id: string }),
  'output_audio_buffer.clear': object(base),
} as const satisfies Record<string, Shape>;

export type ClientEventType = keyof typeof clientEventShapes;

export type ClientEvent = {
  type: ClientEventType;
  eventId: string | null;
  body: Record<string, unknown>;
};

export type Refusal = {
  code: string | null;
  message: string;
  param: string | null;
  eventId: string | null;
};

export type ParsedFrame = { ok: true; event: ClientEvent } | { ok: false; refusal: Refusal };

export function parseFrame(text: string): ParsedFrame {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse({ code: 'invalid_json', message: 'The frame is not valid JSON.' });
  }
  if (!isObject(body))
    return refuse({ code: 'invalid_event', message: 'An event must be a JSON object.' });
  if (tooDeep(body))
    return refuse({ code: 'invalid_event', message: 'The event is nested too deeply.' });
  const eventId = typeof body['event_id'] === 'string' ? body['event_id'] : null;
  const type = body['type'];
  if (type === undefined)
    return refuse({
      code: 'missing_required_parameter',
      message: "Missing required parameter: 'type'.",
      param: 'type',
      eventId,
    });
  if (!isClientEventType(type)) {
    const supported = Object.keys(clientEventShapes).map((name) => `'${name}'`);
    const named = typeof type === 'string' ? type.slice(0, 100) : typeof type;
    return refuse({
      code: 'invalid_value',
      message: `Invalid value: '${named}'. Supported values are: ${supported.join(', ')}.`,
      param: 'type',
      eventId,
    });
  }
  const shape = clientEventShapes[type];
  const present = withoutNulls(shape, body) as Record<string, unknown>;
  const problem = findProblem(shape, present, '');
  if (problem) return refuse({ ...problem, eventId });
  return { ok: true, event: { type, eventId, body: present } };
}

const isClientEventType = (type: unknown): type is ClientEventType =>
  typeof type === 'string' && Object.hasOwn(clientEventShapes, type);

const refuse = (refusal: Partial<Refusal> & { message: string }): ParsedFrame => ({
  ok: false,
  refusal: { code: null, param: null, eventId: null, ...refusal },
});
