const minLength = 4;
const shown = '[secret]';

function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret);
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const lower = [percent, form].map((text) =>
    text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  );
  // Without its padding, base64 is found with it, too.
  const base64 = Buffer.from(secret)
    .toString('base64')
    .replace(/={1,2}$/, '');
  const base64url = Buffer.from(secret).toString('base64url');
  const slashes = json.replaceAll('/', '\\/');
  return [secret, json, slashes, percent, form, ...lower, base64, base64url];
}

/**
 * Hides secrets in what a tool answered: a server may repeat what it was sent. Each spelling counts in which a server may have echoed
 * it, and the longest goes first, since one secret may be part of another. A text of a few letters is no secret, and would blank ordinary words.
 */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < minLength) continue;
    for (const spelling of spellingsOf(secret)) spellings.add(spelling);
  }
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, shown), text);
}
