import type { Message } from '../session/conversation.js';
import { count, fields, list, text, type Fields } from './read.js';
import { stay, then, type Core, type Line, type Step } from './state.js';

type Role = Message['role'];

/** The service gives ids of this form to the messages that it replays. */
function isReplayed(id: string): boolean {
  return id.startsWith('gw_history_');
}

export function lineOf({ lines }: Core, id: string | null): Line | undefined {
  return lines.find(({ message }) => message.id === id);
}

/**
 * Places a message after the item that it follows, or at the end. A text has a place as soon as it is
 * written; if the service put it after an answer that had begun by then, it moves there.
 */
export function placed(core: Core, message: Message, { after }: { after?: unknown } = {}): Core {
  const known = lineOf(core, message.id);
  const others = core.lines.filter((line) => line !== known);
  const before = others.findIndex((line) => line.message.id === after);
  if (known && before < core.lines.indexOf(known)) return core;
  const at = before < 0 ? (after === 'root' ? 0 : others.length) : before + 1;
  const line: Line = known ?? {
    message,
    parts: new Map(),
    responseId: null,
    voice: null,
  };
  return { ...core, lines: others.toSpliced(at, 0, line) };
}

export function blank(id: string, role: Role): Message {
  const replayed = isReplayed(id);
  return { id, role, text: '', final: false, interrupted: false, heardLength: 0, replayed };
}

export function changed(core: Core, id: string, change: (line: Line) => Line): Core {
  return {
    ...core,
    lines: core.lines.map((line) => (line.message.id === id ? change(line) : line)),
  };
}

/** The text of a content part: a delta, or all of it. */
export function worded(
  core: Core,
  {
    id,
    part,
    words,
    whole,
    role,
  }: { id: string; part: number; words: string; whole: boolean; role: Role },
): Step {
  const known = placed(core, blank(id, role));
  const next = changed(known, id, (line) => {
    const parts = new Map(line.parts).set(
      part,
      whole ? words : (line.parts.get(part) ?? '') + words,
    );
    const said = [...parts].sort(([a], [b]) => a - b).map(([, written]) => written);
    const all = said.join('\n');
    const { interrupted, heardLength } = line.message;
    // A user message is complete with its transcript, an answer when its item is.
    const final = line.message.final || (whole && role === 'user');
    const heard = interrupted ? Math.min(heardLength, all.length) : all.length;
    return { ...line, parts, message: { ...line.message, text: all, final, heardLength: heard } };
  });
  return stay(next, { kind: 'told', what: 'transcript', id });
}

export function ended(core: Core, id: string): Step {
  const line = lineOf(core, id);
  if (!line || line.message.final) return stay(core);
  const next = changed(core, id, (one) => ({ ...one, message: { ...one.message, final: true } }));
  return stay(next, { kind: 'told', what: 'transcript', id });
}

/** Marks a message as interrupted, after `ms` of its audio if that is known. */
export function cut(core: Core, id: string, ms: number | null): Step {
  const line = lineOf(core, id);
  if (!line) return stay(core);
  const { message, voice } = line;
  const share = ms === null || !voice?.ms ? 1 : Math.min(1, Math.max(0, ms) / voice.ms);
  const heardLength = ms === null ? message.heardLength : Math.round(message.text.length * share);
  if (message.interrupted && message.final && heardLength === message.heardLength)
    return stay(core);
  const next = changed(core, id, (one) => ({
    ...one,
    message: { ...message, final: true, interrupted: true, heardLength },
  }));
  return stay(next, { kind: 'told', what: 'transcript', id });
}

/** conversation.item.added: places a message. One that arrives complete was typed, not spoken. */
export function added(core: Core, event: Fields): Step {
  const item = fields(event['item']);
  const id = text(item['id']);
  const role = item['role'];
  if (item['type'] !== 'message' || id === null || (role !== 'user' && role !== 'assistant'))
    return stay(core);
  if (core.reconnected && isReplayed(id)) return stay(core);
  const known = placed(core, blank(id, role), { after: event['previous_item_id'] });
  if (lineOf(core, id)?.message.text) return stay(known);
  const step = wordsOf(known, id, item);
  return item['status'] === 'in_progress' || spoken(item)
    ? step
    : then(step, (next) => ended(next, id));
}

/** Takes text from the item itself if no other event contained it. */
export function wordsOf(core: Core, id: string, item: Fields): Step {
  const role: Role = item['role'] === 'user' ? 'user' : 'assistant';
  let step = stay(core);
  for (const [part, content] of list(item['content']).entries()) {
    const words = text(content['transcript']) ?? text(content['text']);
    if (words !== null && !lineOf(step.core, id)?.parts.has(part))
      step = then(step, (next) => worded(next, { id, part, words, whole: true, role }));
  }
  return step;
}

/** The text of speech arrives later. */
function spoken(item: Fields): boolean {
  return list(item['content']).some(
    ({ type, transcript }) => type === 'input_audio' && text(transcript) === null,
  );
}

/**
 * The user's words. Some variants of the event omit the item's id; then it belongs to the oldest
 * item without text.
 */
export function transcribed(core: Core, event: Fields, whole: boolean): Step {
  const open = core.lines.find(({ message }) => message.role === 'user' && !message.final);
  const id = text(event['item_id']) ?? open?.message.id;
  const words = text(event[whole ? 'transcript' : 'delta']);
  if (id === undefined || words === null) return stay(core);
  return worded(core, { id, part: count(event['content_index']), words, whole, role: 'user' });
}

/** The agent's words, as a transcript of its audio or as text. */
export function answered(core: Core, event: Fields, whole: boolean): Step {
  const responseId = text(event['response_id']);
  const open = core.lines.findLast(({ message }) => message.role === 'assistant' && !message.final);
  const id = text(event['item_id']) ?? open?.message.id;
  const words = whole ? (text(event['transcript']) ?? text(event['text'])) : text(event['delta']);
  if (id === undefined || words === null) return stay(core);
  const known = placed(core, blank(id, 'assistant'));
  const owned = changed(known, id, (line) => ({
    ...line,
    responseId: responseId ?? line.responseId,
  }));
  const part = count(event['content_index']);
  return worded(owned, { id, part, words, whole, role: 'assistant' });
}
