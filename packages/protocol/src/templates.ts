/**
 * Templates of HTTP tools. `{{name}}` inserts an argument, `{{secret:NAME}}` a secret of the agent.
 */
export type TemplatePart =
  | { kind: 'text'; text: string }
  | { kind: 'argument'; name: string }
  | { kind: 'secret'; name: string };

const reference = /^(?:(secret):)?([A-Za-z_][A-Za-z0-9_-]{0,63})$/;

export type Template = { ok: true; parts: TemplatePart[] } | { ok: false; message: string };

export function parseTemplate(text: string): Template {
  const parts: TemplatePart[] = [];
  let after = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', after)) {
    const close = text.indexOf('}}', open + 2);
    if (close < 0) return { ok: false, message: 'has a {{ that is never closed' };
    const part = parseReference(text.slice(open + 2, close));
    if (!part) {
      const written = text.slice(open, Math.min(close + 2, open + 80));
      return { ok: false, message: `has a placeholder that names nothing: ${written}` };
    }
    if (open > after) parts.push({ kind: 'text', text: text.slice(after, open) });
    parts.push(part);
    after = close + 2;
  }
  if (after < text.length) parts.push({ kind: 'text', text: text.slice(after) });
  return { ok: true, parts };
}

function parseReference(inside: string): TemplatePart | undefined {
  const match = reference.exec(inside.trim());
  if (!match) return undefined;
  return { kind: match[1] ? 'secret' : 'argument', name: match[2] ?? '' };
}
