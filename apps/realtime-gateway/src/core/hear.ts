import { isObject, storable, type JsonObject } from '@parley/protocol';
import { fingerprint, storableIdIn, wholeIn, wordsIn } from './event-fields.js';
import {
  place,
  slotOf,
  withSlot,
  withSpeaking,
  type Ledger,
  type Role,
  type Slot,
  type Told,
} from './ledger.js';
import { amend, interrupt, messageIn, record, type Noted } from './note.js';
import { conclude } from './outcome.js';
import { readUsage, type TokenCounts, type UsageNote } from './usage.js';

export type Heard = {
  readonly event: JsonObject;
  readonly now: number;
  readonly models: { readonly response: string; readonly transcription: string };
};

type Rule = (ledger: Ledger, heard: Heard) => Noted;

const maxCounted = 100;

/** How the provider's events change the record, by their route. */
export const hear = {
  /** An item is announced, or the user starts to speak. */
  slot(ledger, { event, now }) {
    const { item } = event;
    const announced = isObject(item) ? item : undefined;
    const itemId = announced ? storableIdIn(announced, 'id') : storableIdIn(event, 'item_id');
    if (itemId === undefined) return { ledger, effects: [] };
    if (event['type'] === 'input_audio_buffer.speech_started')
      return { ledger: withSpeaking(ledger, itemId, now), effects: [] };
    const known = announced && typedBefore(ledger, itemId, announced);
    if (known) return bind(ledger, known, itemId);
    const taken = announced && slotOf(ledger, itemId);
    if (taken?.typed != null)
      return { ledger: withSlot(ledger, { ...taken, typed: null }), effects: [] };
    const after = event['previous_item_id'];
    const awaits = announced ? awaitedIn(announced) : 'user';
    return {
      ledger: place(ledger, { key: itemId, itemId, now, after, awaits }).ledger,
      effects: [],
    };
  },

  transcript(ledger, { event, now, models }) {
    const failed = event['type'] === 'conversation.item.input_audio_transcription.failed';
    const counts = readUsage(event['usage']);
    const said = { role: 'user', event, now, usage: counts ?? null } as const;
    const noted = failed ? say(ledger, { ...said, failed }) : say(ledger, said);
    const sourceId = storableIdIn(event, 'item_id') ?? storableIdIn(event, 'event_id');
    const source = { source: 'transcription', sourceId, model: models.transcription } as const;
    return counted(noted, source, counts);
  },

  answer: (ledger, { event, now }) => say(ledger, { role: 'assistant', event, now, usage: null }),

  truncation(ledger, { event }) {
    const itemId = storableIdIn(event, 'item_id');
    if (itemId === undefined) return { ledger, effects: [] };
    return interrupt(ledger, slotOf(ledger, itemId), wholeIn(event, 'audio_end_ms') ?? null);
  },

  outcome(ledger, { event, models }) {
    const { response } = event;
    if (!isObject(response)) return { ledger, effects: [] };
    const noted = conclude(ledger, response, readUsage(response['usage']));
    return charged(noted, event, models.response);
  },

  /** A response outside the conversation costs the same. */
  aside: (ledger, { event, models }) => charged({ ledger, effects: [] }, event, models.response),
} as const satisfies Record<string, Rule>;

export type RecordRoute = keyof typeof hear;

/**
 * Typed messages are recorded when they pass; the provider sends the item's id later. Answers that
 * the client wrote for the agent are marked as its own.
 */
export function typed(ledger: Ledger, event: JsonObject, now: number): Noted {
  const { item } = event;
  const written = isObject(item) ? writtenIn(item) : undefined;
  if (!isObject(item) || !written) return { ledger, effects: [] };
  const { role, texts, print } = written;
  const author = role === 'assistant' ? 'client' : null;
  const itemId = storableIdIn(item, 'id') ?? null;
  // The provider refuses an id that is already in use.
  if (itemId !== null && slotOf(ledger, itemId)) return { ledger, effects: [] };
  const { key, ledger: named } = itemId === null ? nameless(ledger) : { key: itemId, ledger };
  const placing = { key, itemId, now, after: event['previous_item_id'], typed: print };
  const { slot, ledger: placed } = place(named, placing);
  return {
    ledger: withSlot(placed, { ...slot, parts: texts.map(({ index }) => index) }),
    effects: texts.map(({ index, text }) =>
      record(slot, { contentIndex: index, role, content: text, author }),
    ),
  };
}

type Saying = {
  readonly role: Role;
  readonly event: JsonObject;
  readonly now: number;
  readonly usage: TokenCounts | null;
  readonly failed?: true;
};

function say(ledger: Ledger, { role, event, now, usage, failed }: Saying): Noted {
  const content = failed ? '' : wordsIn(event);
  if (content === undefined) return { ledger, effects: [] };
  const found = slotFor(ledger, role, { event, content, now });
  const contentIndex = wholeIn(event, 'content_index') ?? 0;
  if (!found) return { ledger, effects: [] };
  const words = fingerprint(content);
  if (found.slot.parts.includes(contentIndex))
    return role === 'user' && !failed
      ? sayAgain(ledger, found.slot, { contentIndex, content, words })
      : { ledger, effects: [] };
  const heard = new Map(found.slot.heard).set(contentIndex, failed ? null : words);
  const slot: Slot = {
    ...found.slot,
    awaits: null,
    responseId: storableIdIn(event, 'response_id') ?? found.slot.responseId,
    parts: [...found.slot.parts, contentIndex],
    ...(role === 'user' && { heard }),
  };
  const told = { type: event['type'], eventId: storableIdIn(event, 'event_id'), words };
  const latest = { ...found.ledger.latest, [role]: told };
  const status = failed ? 'failed' : 'completed';
  return {
    ledger: withSlot({ ...found.ledger, latest }, slot),
    effects: [record(slot, { contentIndex, role, content, status, usage })],
  };
}

/**
 * The provider transcribed the same audio again: the last words count. Typed text is not
 * transcribed.
 */
function sayAgain(
  ledger: Ledger,
  slot: Slot,
  { contentIndex, content, words }: { contentIndex: number; content: string; words: string },
): Noted {
  const before = slot.heard.get(contentIndex);
  if (before === undefined || before === words) return { ledger, effects: [] };
  const heard = new Map(slot.heard).set(contentIndex, words);
  const message = messageIn(slot, { contentIndex, role: 'user', content });
  return {
    ledger: withSlot(ledger, { ...slot, heard }),
    effects: [{ kind: 'rewrite', message, first: before === null }],
  };
}

type Wording = { readonly event: JsonObject; readonly content: string; readonly now: number };

/** Variants of an event may omit the item's id. It is then the item that awaits words. */
function slotFor(
  ledger: Ledger,
  role: Role,
  { event, content, now }: Wording,
): { ledger: Ledger; slot: Slot } | undefined {
  const itemId = storableIdIn(event, 'item_id');
  if (itemId !== undefined) return place(ledger, { key: itemId, itemId, now });
  if (isRetold(ledger.latest[role], event, content)) return undefined;
  const awaited = ledger.slots.filter(({ awaits }) => awaits === role);
  const slot = role === 'user' ? awaited[0] : awaited.at(-1);
  if (slot) return { ledger, slot };
  const { key, ledger: named } = nameless(ledger);
  return place(named, { key, itemId: null, now });
}

/** Whether these are the same words under another event name, or the same event again. */
function isRetold(last: Told | undefined, event: JsonObject, content: string): boolean {
  if (last?.words !== fingerprint(content)) return false;
  const eventId = storableIdIn(event, 'event_id');
  return last.type !== event['type'] || (eventId !== undefined && last.eventId === eventId);
}

function nameless(ledger: Ledger): { key: string; ledger: Ledger } {
  const nth = ledger.nameless + 1;
  return { key: `nameless ${nth}`, ledger: { ...ledger, nameless: nth } };
}

/** Handles the provider's echo of a typed message. */
function bind(ledger: Ledger, slot: Slot, itemId: string): Noted {
  return {
    ledger: withSlot(ledger, { ...slot, itemId, typed: null }),
    effects: amend(slot, { itemId }),
  };
}

function charged(noted: Noted, event: JsonObject, model: string): Noted {
  const response = isObject(event['response']) ? event['response'] : {};
  const sourceId = storableIdIn(response, 'id') ?? storableIdIn(event, 'event_id');
  return counted(noted, { source: 'response', sourceId, model }, readUsage(response['usage']));
}

function counted(
  noted: Noted,
  source: Omit<UsageNote, 'counts' | 'sourceId'> & { sourceId: string | undefined },
  counts: TokenCounts | undefined,
): Noted {
  const { sourceId } = source;
  if (!counts || sourceId === undefined) return noted;
  const name = `${source.source} ${sourceId}`;
  if (noted.ledger.counted.includes(name)) return noted;
  const ledger = { ...noted.ledger, counted: [...noted.ledger.counted, name].slice(-maxCounted) };
  const usage: UsageNote = { ...source, sourceId, counts };
  return { ledger, effects: [...noted.effects, { kind: 'note_usage', usage }] };
}

function typedBefore(ledger: Ledger, itemId: string, item: JsonObject): Slot | undefined {
  const print = slotOf(ledger, itemId) ? undefined : writtenIn(item)?.print;
  if (print === undefined) return undefined;
  return ledger.slots.find((slot) => slot.itemId === null && slot.typed === print);
}

type Written = {
  readonly role: Role;
  readonly texts: readonly { readonly index: number; readonly text: string }[];
  /** Identifies the item when the provider echoes it. */
  readonly print: string;
};

const writtenParts: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['input_text', 'user'],
  ['output_text', 'assistant'],
  ['text', 'assistant'],
]);

/** The words of a message that is written rather than spoken. */
function writtenIn({ type = 'message', role, content }: JsonObject): Written | undefined {
  if (type !== 'message' || !Array.isArray(content)) return undefined;
  if (role !== 'user' && role !== 'assistant') return undefined;
  const texts = content.flatMap((part: unknown, index) => {
    const text =
      isObject(part) && writtenParts.get(part['type']) === role ? part['text'] : undefined;
    return typeof text === 'string' ? [{ index, text: storable(text) }] : [];
  });
  if (texts.length === 0) return undefined;
  const print = fingerprint([role, ...texts.map(({ text }) => text)].join('\n'));
  return { role, texts, print };
}

function awaitedIn(item: JsonObject): Role | null {
  if (item['type'] !== 'message') return null;
  const content = Array.isArray(item['content']) ? item['content'].filter(isObject) : [];
  if (item['role'] === 'assistant') {
    const whole = item['status'] === 'completed' || content.some((part) => wordsIn(part));
    return whole ? null : 'assistant';
  }
  const spoken = content.some((part) => part['type'] === 'input_audio');
  return item['role'] === 'user' && spoken ? 'user' : null;
}
