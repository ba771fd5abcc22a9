/** The URL if it is safe to open: http and https, never a script or a file. */
export function safeLink(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

export type TextPart = { readonly text: string; readonly href?: string };

/**
 * Splits text into plain parts and links. Model output is plain text; only complete http(s) URLs
 * become links, and they show where they lead.
 */
export function withLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"]+/g)) {
    const shown = match[0].replace(/[.,;:!?)\]}'’]{1,8}$/, '');
    const href = safeLink(shown);
    if (href === undefined) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: shown, href });
    end = match.index + shown.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
