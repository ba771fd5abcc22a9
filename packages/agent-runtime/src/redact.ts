const minLength = 4;
const shown = '[secret]';

/**
 * Hides secrets in what a tool answered: a server may repeat what it was sent. Each spelling counts in which a server may have echoed
 * it, and the longest goes first, since one secret may be part of another. A text of a few letters is no secret, and would blank ordinary words.
 */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < minLength) continue;
    spellings.add(secret);
    spellings.add(JSON.stringify(secret).slice(1, -1));
    spellings.add(encodeURIComponent(secret));
    spellings.add(Buffer.from(secret).toString('base64'));
  }
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, shown), text);
}
