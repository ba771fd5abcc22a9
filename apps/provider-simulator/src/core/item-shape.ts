// The items that a client may add to the conversation, and their conversion to ours.
import type { Content, Item, MessageItem, Sound } from './items.js';
import type { AudioFormat } from './audio-format.js';
import { decodeBase64 } from './base64.js';
import {
  findProblem,
  isObject,
  object,
  arrayOf,
  oneOf,
  string,
  nullable,
  variants,
  type Problem,
  type Shape,
} from './shape.js';

const status = oneOf('completed', 'incomplete', 'in_progress');
const base = { id: string, object: string, type: string, status };
const text = (type: string): Shape => object({ type: oneOf(type), text: string }, 'text');

const message = (content: Record<string, Shape>): Shape =>
  object({ ...base, role: string, content: arrayOf(variants('type', content)) }, 'content');

const messageShape = variants('role', {
  system: message({ input_text: text('input_text') }),
  user: message({
    input_text: text('input_text'),
    input_audio: object({ type: string, audio: string, transcript: nullable(string) }, 'audio'),
    input_image: object({ type: string, image_url: string, detail: string }, 'image_url'),
  }),
  // Clients cannot add audio in the model's voice, only text.
  assistant: message({ output_text: text('output_text') }),
});

const itemShapes: Readonly<Record<string, Shape>> = {
  message: messageShape,
  function_call: object(
    { ...base, call_id: string, name: string, arguments: string },
    'name',
    'arguments',
  ),
  function_call_output: object({ ...base, call_id: string, output: string }, 'call_id', 'output'),
};

export type ParsedItem = { ok: true; item: Item; sound?: Sound } | { ok: false; problem: Problem };

type Fresh = { itemId: () => string; callId: () => string; format: AudioFormat };

export function parseItem(value: unknown, path: string, fresh: Fresh): ParsedItem {
  const problem = findProblem(variants('type', itemShapes), value, path);
  if (problem) return { ok: false, problem };
  const raw = value as Record<string, unknown> & { type: string };
  const id = typeof raw['id'] === 'string' && raw['id'] !== '' ? raw['id'] : fresh.itemId();
  const textOf = (name: 'name' | 'call_id' | 'arguments' | 'output'): string =>
    typeof raw[name] === 'string' ? raw[name] : '';
  if (raw.type === 'function_call')
    return {
      ok: true,
      item: {
        id,
        type: 'function_call',
        status: 'completed',
        name: textOf('name'),
        call_id: textOf('call_id') || fresh.callId(),
        arguments: textOf('arguments'),
      },
    };
  if (raw.type === 'function_call_output')
    return {
      ok: true,
      item: {
        id,
        type: 'function_call_output',
        call_id: textOf('call_id'),
        output: textOf('output'),
      },
    };
  return parseMessage({ ...raw, id }, path, fresh.format);
}

function parseMessage(
  raw: Record<string, unknown> & { id: string },
  path: string,
  format: AudioFormat,
): ParsedItem {
  const item: MessageItem = {
    id: raw.id,
    type: 'message',
    status: 'completed',
    role: raw['role'] as MessageItem['role'],
    content: [],
  };
  const sounds: Buffer[] = [];
  for (const [i, part] of (raw['content'] as Record<string, unknown>[]).entries()) {
    const audio = part['audio'];
    if (typeof audio === 'string') {
      const bytes = decodeBase64(audio);
      if (!bytes) return { ok: false, problem: notBase64(`${path}.content[${i}].audio`) };
      sounds.push(bytes);
      const transcript = typeof part['transcript'] === 'string' ? part['transcript'] : null;
      item.content.push({ type: 'input_audio', transcript });
    } else item.content.push(part as Content);
  }
  if (sounds.length === 0) return { ok: true, item };
  return { ok: true, item, sound: { format, bytes: Buffer.concat(sounds) } };
}

export const notBase64 = (param: string): Problem => ({
  code: 'invalid_value',
  message: `Invalid '${param}'. Expected base64-encoded audio bytes.`,
  param,
});

/** `response.create` may name an item of the conversation instead of carrying one. */
export const referencedItemId = (value: unknown): string | undefined =>
  isObject(value) && value['type'] === 'item_reference' && typeof value['id'] === 'string'
    ? value['id']
    : undefined;
