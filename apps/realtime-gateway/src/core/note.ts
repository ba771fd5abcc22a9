import { withSlot, type Ledger, type PartName, type SaidMessage, type Slot } from './ledger.js';
import type { TokenCounts, UsageNote } from './usage.js';

/** What becomes known about a message after it is recorded. */
export type Amendment = {
  readonly interrupted?: true;
  /** How much of it was heard, if the client said so. */
  readonly audioEndMs?: number;
  readonly itemId?: string;
  readonly usage?: TokenCounts;
};

export type RecordEffect =
  /** Store the message; the result comes back as an input. */
  | { readonly kind: 'record'; readonly message: SaidMessage }
  /**
   * Store other words for the message; the result comes back as an input. `first`: it had no words
   * before.
   */
  | { readonly kind: 'rewrite'; readonly message: SaidMessage; readonly first: boolean }
  | { readonly kind: 'amend'; readonly parts: readonly PartName[]; readonly change: Amendment }
  | { readonly kind: 'note_usage'; readonly usage: UsageNote };

export type Noted = { readonly ledger: Ledger; readonly effects: readonly RecordEffect[] };

export function join(before: Noted, after: Noted): Noted {
  return { ledger: after.ledger, effects: [...before.effects, ...after.effects] };
}

type Said = Pick<SaidMessage, 'contentIndex' | 'role' | 'content'> &
  Partial<Pick<SaidMessage, 'author' | 'status' | 'usage'>>;

export function record(slot: Slot, said: Said): RecordEffect {
  return { kind: 'record', message: messageIn(slot, said) };
}

export function messageIn(slot: Slot, said: Said): SaidMessage {
  const { key, itemId, position, saidAt: createdAt, interrupted, audioEndMs } = slot;
  const place = { key, itemId, position, createdAt, interrupted, audioEndMs };
  return { author: null, status: 'completed', usage: null, ...place, ...said };
}

export function amend({ key, parts }: Slot, change: Amendment): RecordEffect[] {
  if (parts.length === 0) return [];
  const names = parts.map((contentIndex) => ({ key, contentIndex }));
  return [{ kind: 'amend', parts: names, change }];
}

export function interrupt(
  ledger: Ledger,
  slot: Slot | undefined,
  audioEndMs: number | null,
): Noted {
  if (!slot) return { ledger, effects: [] };
  const heard = audioEndMs ?? slot.audioEndMs;
  const change = { interrupted: true, ...(heard !== null && { audioEndMs: heard }) } as const;
  return {
    ledger: withSlot(ledger, { ...slot, interrupted: true, audioEndMs: heard }),
    effects: amend(slot, change),
  };
}

/** The same when only the provider's side ends: nothing is awaited any more. */
export function abandon(ledger: Ledger): Noted {
  const slots = ledger.slots.map((slot): Slot => {
    if (slot.awaits === null) return slot;
    const lost = slot.awaits === 'assistant' ? ({ interrupted: true, lost: true } as const) : {};
    return { ...slot, awaits: null, parts: [0], ...lost };
  });
  return {
    ledger: { ...ledger, slots, speaking: new Map(), latest: {} },
    effects: markMissing(ledger),
  };
}

/**
 * Words still missing when the session ends stay unknown; their place in the record is marked
 * accordingly.
 */
export function markMissing({ slots }: Ledger): RecordEffect[] {
  return slots.flatMap((slot) => {
    const { awaits: role } = slot;
    if (role === null) return [];
    const left = { ...slot, interrupted: role === 'assistant' };
    return [record(left, { contentIndex: 0, role, content: '', status: 'failed' })];
  });
}
