/**
 * Templates of HTTP tools. `{{name}}` stands for an argument, `{{secret:NAME}}` for a secret of the agent.
 */
export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'argument'; name: string }
  | { kind: 'secret'; name: string };

const placeholder = /\{\{(.*?)\}\}/gs;
const reference = /^\s*(?:(secret):)?([A-Za-z_][A-Za-z0-9_-]{0,63})\s*$/;

export type Template = { ok: true; parts: TemplatePart[] } | { ok: false; message: string };

export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let after = 0;
  for (const match of text.matchAll(placeholder)) {
    const part = parseReference(match[1] ?? '');
    if (!part)
      return {
        ok: false,
        message: `has a placeholder that names nothing: ${match[0].slice(0, 80)}`,
      };
    if (match.index > after) parts.push({ kind: 'text', text: text.slice(after, match.index) });
    parts.push(part);
    after = match.index + match[0].length;
  }
  if (after < text.length) parts.push({ kind: 'text', text: text.slice(after) });
  const stray = parts.some((part) => part.kind === 'text' && part.text.includes('{{'));
  return stray ? { ok: false, message: 'has a {{ that is never closed' } : { ok: true, parts };
}

function parseReference(inside: string): TemplatePart | undefined {
  const match = reference.exec(inside);
  if (!match) return undefined;
  return { kind: match[1] ? 'secret' : 'argument', name: match[2] ?? '' };
}
