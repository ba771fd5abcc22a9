/** Whether PostgreSQL would refuse a text: NUL, or half of a surrogate pair. */
export function hasBadCharacter(text: string): boolean {
  return text.includes('\0') || loneSurrogate.test(text);
}

/** The text as it can be stored: what is shown and announced is what is stored. */
export function storable(text: string): string {
  if (!hasBadCharacter(text)) return text;
  return text.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

const loneSurrogate = /\p{Surrogate}/u;
