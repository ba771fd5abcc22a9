/**
 * What somebody types into a filter, whose value is in the address. The address changes later, when
 * more may have been typed.
 */
export type Draft = {
  readonly text: string;
  /** The last value from the address. */
  readonly value: string;
  /** Sent, and not in the address yet. */
  readonly sent: readonly string[];
};

export function draftOf(value: string): Draft {
  return { text: value, value, sent: [] };
}

export function typed(draft: Draft, text: string): Draft {
  return { ...draft, text };
}

export function sent(draft: Draft, text: string): Draft {
  return { ...draft, text, sent: [...draft.sent, text] };
}

/** What the address has, or will have. */
export function settled({ value, sent: others }: Draft): string {
  return others.at(-1) ?? value;
}

/** The address has changed. Only a value that comes from elsewhere replaces the text. */
export function adopted(draft: Draft, value: string): Draft {
  const own = draft.sent.lastIndexOf(value);
  return own === -1 ? draftOf(value) : { ...draft, value, sent: draft.sent.slice(own + 1) };
}
