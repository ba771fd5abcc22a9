const misleading = /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/gu;

/** Text of others, with the characters that could control or deceive a terminal spelled out. */
export function printable(text: string): string {
  return text.replaceAll(
    misleading,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
