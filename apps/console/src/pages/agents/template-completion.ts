/** Completion for `{{name}}` and `{{secret:NAME}}`. */
export type OpenReference = {
  /** Where the name starts, after the braces. */
  readonly from: number;
  readonly typed: string;
};

/** The reference around the caret, if any. */
export function openReference(text: string, caret: number): OpenReference | undefined {
  const before = text.slice(0, caret);
  const open = before.lastIndexOf('{{');
  if (open < 0) return undefined;
  const typed = before.slice(open + 2);
  return /^[\w:-]{0,80}$/.test(typed) ? { from: open + 2, typed } : undefined;
}

export function suggestionsFor(
  reference: OpenReference | undefined,
  names: readonly string[],
): readonly string[] {
  if (!reference) return [];
  const typed = reference.typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(typed));
}

/** The text with the name inserted and its braces closed, and the new caret position. */
export function complete(
  text: string,
  { from, typed }: OpenReference,
  name: string,
): { text: string; caret: number } {
  const after = text.slice(from + typed.length).replace(/^[\w:-]{0,80}\}\}/, '');
  const begun = `${text.slice(0, from)}${name}}}`;
  return { text: begun + after, caret: begun.length };
}
