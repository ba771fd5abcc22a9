import { ownProperty, parseTemplate, type TemplatePart } from '@parley/protocol';
import { ToolFailure } from './tool.js';

export type TemplateValues = {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly secrets: ReadonlyMap<string, string>;
};

/** Fills a template, encoding each part for its place. */
function fill(
  template: string,
  values: TemplateValues,
  encode: (value: unknown, at: { inside: boolean }) => string,
): string {
  const parsed = parseTemplate(template);
  if (!parsed.ok) throw new ToolFailure(`The tool’s template ${parsed.message}.`);
  let quotes = false;
  return parsed.parts
    .map((part) => {
      if (part.kind === 'text') {
        quotes = endsInsideString(part.text, quotes);
        return part.text;
      }
      return encode(valueOf(part, values), { inside: quotes });
    })
    .join('');
}

function valueOf(part: Exclude<TemplatePart, { kind: 'text' }>, values: TemplateValues): unknown {
  if (part.kind === 'argument') return ownProperty(values.arguments, part.name);
  const secret = values.secrets.get(part.name);
  if (secret === undefined) throw new ToolFailure(`The agent has no secret named ${part.name}.`);
  return secret;
}

export function fillUrl(template: string, values: TemplateValues): string {
  return fill(template, values, (value) => {
    const text = encodeURIComponent(plainText(value));
    // A path segment of dots would lead elsewhere; URL parsers treat the encoded form as dots, too.
    if (/^\.{1,2}$/.test(text)) throw new ToolFailure('An argument of dots cannot stand in a URL.');
    return text;
  });
}

export function fillHeader(template: string, values: TemplateValues): string {
  const filled = fill(template, values, plainText);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(filled))
    throw new ToolFailure('An argument has a character that a header cannot hold.');
  return filled;
}

/**
 * Inside a JSON string, an argument becomes part of it; elsewhere in JSON, it becomes a JSON value.
 */
export function fillJson(template: string, values: TemplateValues): string {
  return fill(template, values, (value, { inside }) =>
    inside ? JSON.stringify(plainText(value)).slice(1, -1) : JSON.stringify(value ?? null),
  );
}

/** Any other body: unencoded. */
export function fillText(template: string, values: TemplateValues): string {
  return fill(template, values, plainText);
}

export function fillForm(template: string, values: TemplateValues): string {
  return fill(template, values, (value) => encodeURIComponent(plainText(value)));
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

export function fillXml(template: string, values: TemplateValues): string {
  return fill(template, values, (value) =>
    plainText(value).replaceAll(/[&<>"']/g, (mark) => entities.get(mark) ?? mark),
  );
}

/** An omitted argument is empty; one that is not a string becomes its JSON. */
export function plainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a piece of JSON ends inside a string. */
function endsInsideString(text: string, inside: boolean): boolean {
  let within = inside;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && within) at += 1;
    else if (text[at] === '"') within = !within;
  }
  return within;
}
