import type { TokenCounts } from './usage.js';

/**
 * Everything said in a session, in the provider's order. An item takes its place when it is
 * announced, so that a transcript which arrives late, or never, still precedes its answer.
 *
 * A position is the time at which the item took its place, in microseconds since 1970, raised if
 * necessary to follow the item before it and everything that the conversation contained before the
 * session. So positions sort a conversation across sessions and their clocks. An item inserted
 * between two others is placed shortly after the first, which leaves room for many more.
 */
export type Ledger = {
  readonly slots: readonly Slot[];
  /** No item of this session is placed before it. */
  readonly floor: number;
  /** When the user started to say what is not an item yet. */
  readonly speaking: ReadonlyMap<string, number>;
  /** The last recorded words of each role, and the event that contained them. */
  readonly latest: Readonly<Partial<Record<Role, Told>>>;
  /** Ids whose usage is already counted, newest last. */
  readonly counted: readonly string[];
  /** How many items had no id when they were recorded. */
  readonly nameless: number;
};

export type Role = 'user' | 'assistant';

export type Told = {
  readonly type: unknown;
  readonly eventId: string | undefined;
  /** Fingerprint of the words. */
  readonly words: string;
};

export type Slot = {
  /** Identifies the item in the record: its id, or a generated key if it has none, or none yet. */
  readonly key: string;
  readonly itemId: string | null;
  readonly responseId: string | null;
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly saidAt: number;
  /** The role whose words are still missing. */
  readonly awaits: Role | null;
  /** Fingerprint of what the client typed, until the provider acknowledges it. */
  readonly typed: string | null;
  /** The content parts that are already recorded. */
  readonly parts: readonly number[];
  /**
   * Fingerprints of the user's words in each part, as last transcribed; null if the transcription
   * failed.
   */
  readonly heard: ReadonlyMap<number, string | null>;
  readonly interrupted: boolean;
  readonly audioEndMs: number | null;
  /** Its provider was lost before it had words, and the next one does not know it. */
  readonly lost?: true;
};

/** One content part of an item, which is one message of the record. */
export type PartName = { readonly key: string; readonly contentIndex: number };

export type SaidMessage = PartName & {
  readonly itemId: string | null;
  readonly role: Role;
  readonly content: string;
  /** 'client' if the client wrote it in the agent's name. */
  readonly author: 'client' | null;
  readonly status: 'completed' | 'failed';
  readonly position: number;
  /** When it was said, not when it was transcribed. Milliseconds since 1970. */
  readonly createdAt: number;
  readonly interrupted: boolean;
  readonly audioEndMs: number | null;
  readonly usage: TokenCounts | null;
};

const gap = 1000;
/**
 * Older items keep their place in the record, but can no longer be followed or changed. Items that
 * await words are forgotten last.
 */
const maxSlots = 500;
const maxSpeaking = 50;

const nobody: Ledger['speaking'] = new Map();

export function openLedger(lastPosition: number): Ledger {
  return {
    slots: [],
    floor: lastPosition,
    speaking: nobody,
    latest: {},
    counted: [],
    nameless: 0,
  };
}

export type Placing = {
  readonly key: string;
  readonly itemId: string | null;
  readonly now: number;
  /** The id of the item that it follows, or 'root'. Unknown ids are ignored. */
  readonly after?: unknown;
  readonly awaits?: Role | null;
  readonly typed?: string;
};

/** Gives an item its place, unless it already has one. */
export function place(ledger: Ledger, placing: Placing): { ledger: Ledger; slot: Slot } {
  const { key, itemId, now, after, awaits = null, typed = null } = placing;
  const known = ledger.slots.find((slot) => slot.key === key || isItem(slot, itemId));
  if (known) return { ledger, slot: known };
  const saidAt = ledger.speaking.get(key) ?? now;
  const index = indexFor(ledger.slots, after, saidAt);
  const slot: Slot = {
    key,
    itemId,
    responseId: null,
    position: positionAt(ledger, index, now),
    saidAt,
    awaits,
    typed,
    parts: [],
    heard: new Map(),
    interrupted: false,
    audioEndMs: null,
  };
  const speaking = new Map(ledger.speaking);
  speaking.delete(key);
  const slots = ledger.slots.toSpliced(index, 0, slot);
  return { ledger: trimmed({ ...ledger, slots, speaking }), slot };
}

export function withSlot(ledger: Ledger, slot: Slot): Ledger {
  const slots = ledger.slots.map((other) => (other.key === slot.key ? slot : other));
  return { ...ledger, slots };
}

export function slotOf(ledger: Ledger, itemId: string): Slot | undefined {
  return ledger.slots.find((slot) => isItem(slot, itemId));
}

export function withSpeaking(ledger: Ledger, itemId: string, now: number): Ledger {
  const newest = [...ledger.speaking, [itemId, now] as const].slice(-maxSpeaking);
  return { ...ledger, speaking: new Map(newest) };
}

function isItem(slot: Slot, itemId: string | null): boolean {
  return itemId !== null && slot.itemId === itemId;
}

function indexFor(slots: readonly Slot[], after: unknown, saidAt: number): number {
  if (after === 'root') return 0;
  const before = slots.findIndex((slot) => slot.itemId !== null && slot.itemId === after);
  if (before >= 0) return afterLost(slots, before + 1);
  return slots.findLastIndex((slot) => slot.saidAt <= saidAt) + 1;
}

function afterLost(slots: readonly Slot[], index: number): number {
  return slots[index]?.lost ? afterLost(slots, index + 1) : index;
}

function positionAt({ slots, floor }: Ledger, index: number, now: number): number {
  const next = slots[index]?.position;
  if (next === undefined) return Math.max(now * 1000, (slots.at(-1)?.position ?? floor) + gap);
  const before = slots[index - 1]?.position ?? Math.max(floor, next - 2 * gap);
  return before + Math.min(gap, Math.floor((next - before) / 2));
}

function trimmed(ledger: Ledger): Ledger {
  const { slots, floor } = ledger;
  if (slots.length <= maxSlots) return ledger;
  const index = Math.max(
    0,
    slots.findIndex(({ awaits }) => awaits === null),
  );
  const raised = index === 0 ? (slots[0]?.position ?? floor) : floor;
  return { ...ledger, slots: slots.toSpliced(index, 1), floor: raised };
}
