/** What PostgreSQL cannot store, what UTF-8 cannot say, and what breaks a limit. */
const characters = ['\0', '\uD800', '\u202E'];
const wrong: readonly unknown[] = [null, true, -1, 1e21, 0.5, '', 'x', [], {}, [[]], [null]];

/** A value in every way of being wrong in one place: each of its parts, at any depth, is spoilt or exchanged. */
export function* poisonings(value: unknown): Generator {
  yield* spoilt(value);
  if (Array.isArray(value))
    for (const [at, part] of value.entries())
      for (const bad of poisonings(part)) yield value.with(at, bad);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      for (const bad of poisonings(part)) yield { ...value, [name]: bad };
}

function* spoilt(value: unknown): Generator {
  if (typeof value === 'string') {
    for (const character of characters) yield `${value}${character}`;
    // Too long for most places; elsewhere, what takes a careless reader for ever.
    yield 'y'.repeat(30_000);
    yield `${'{{'.repeat(5000)}${'<!---->'.repeat(1000)}${'/'.repeat(5000)}${' '.repeat(5000)}`;
  } else if (Array.isArray(value)) {
    for (const character of characters) yield [...(value as unknown[]), character];
  } else if (typeof value === 'object' && value !== null) {
    for (const character of characters) yield { ...value, [`k${character}`]: 1 };
  }
  // One of them for each place: which, is left to chance, but the same for the same value.
  yield wrong[JSON.stringify(value).length % wrong.length];
}

/** Spellings of a part of a URL, percent-encoded already. */
export function poisonedParts(part: string): string[] {
  const good = encodeURIComponent(part);
  const bad = ['%00', '%ED%A0%80', '%FF', '%C0%AF', '%2F', '%252F', '%0D%0A', '%zz'];
  return [...bad.map((text) => `${good}${text}`), '%00', 'z'.repeat(5000)];
}
