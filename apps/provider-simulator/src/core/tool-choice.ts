// Which tool fits the user's words, and with which arguments. A word of the tool's name weighs more
// than one of its description, and one shared everyday word is not enough.
import { spacedJson } from './plan.js';
import { isObject } from './shape.js';
import type { FunctionTool, ToolChoice } from './session-config.js';

export type ToolCall = { name: string; arguments: string };

const everyday = new Set(
  'a an and any are as at be by can could do does for from get give have how i in is it its me my of on or please put say set show some tell that the their this to use used user users using want was what when where which who will with would you your about call called named new return returns'.split(
    ' ',
  ),
);

export function chooseTool(
  text: string,
  tools: readonly FunctionTool[],
  choice: ToolChoice,
): ToolCall | undefined {
  const functions = tools.filter((tool) => tool.type === 'function');
  if (choice === 'none' || functions.length === 0) return undefined;
  if (typeof choice === 'object') {
    const forced = functions.find((tool) => tool.name === choice.name);
    return forced && callFor(forced, text);
  }
  const said = new Set(meaningfulWords(text));
  const ranked = functions
    .map((tool) => ({ tool, score: score(tool, said) }))
    .sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (!best || (best.score < 2 && choice !== 'required')) return undefined;
  return callFor(best.tool, text);
}

/** `getWeather` and `get_weather` both read "get weather". */
export const toolLabel = ({ name }: { name: string }): string => nameWords(name).join(' ');

const nameWords = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

function score(tool: FunctionTool, said: ReadonlySet<string>): number {
  const fromName = new Set(meaningfulWords(toolLabel(tool)));
  const fromDescription = new Set(meaningfulWords(tool.description ?? ''));
  let total = 0;
  for (const word of said) {
    if (fromName.has(word)) total += 3;
    else if (fromDescription.has(word)) total += 1;
  }
  return total;
}

const meaningfulWords = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [])
    .filter((word) => !everyday.has(word))
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word));

function callFor(tool: FunctionTool, text: string): ToolCall {
  const value = fill({ ...tool.parameters, type: 'object' }, { text, name: '', depth: 0 });
  return { name: tool.name, arguments: spacedJson(JSON.stringify(value)) };
}

type Slot = { text: string; name: string; depth: number };

function fill(schema: unknown, slot: Slot): unknown {
  if (!isObject(schema) || slot.depth > 5) return slot.text;
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return fillEnum(schema['enum'], slot.text);
  switch (Array.isArray(schema['type']) ? schema['type'][0] : schema['type']) {
    case 'object':
      return fillObject(schema, slot);
    case 'array':
      return [fill(schema['items'], { ...slot, depth: slot.depth + 1 })];
    case 'integer':
      return Math.round(fillNumber(schema, slot.text));
    case 'number':
      return fillNumber(schema, slot.text);
    case 'boolean':
      return !/\b(no|not|never|without|don't|do not)\b/i.test(slot.text);
    case 'null':
      return null;
    default:
      return fillString(schema, slot);
  }
}

function fillObject(schema: Record<string, unknown>, slot: Slot): Record<string, unknown> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const out: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const known = required.includes(name) || said(property, slot.text);
    if (known) out[name] = fill(property, { text: slot.text, name, depth: slot.depth + 1 });
  }
  return out;
}

/** An optional argument is given only if the user's words contain a value for it. */
function said(property: unknown, text: string): boolean {
  if (!isObject(property)) return false;
  if (Array.isArray(property['enum']))
    return property['enum'].some((value) => mentions(text, value));
  return (property['type'] === 'number' || property['type'] === 'integer') && /\d/.test(text);
}

const mentions = (text: string, value: unknown): boolean =>
  text.toLowerCase().includes(String(value).toLowerCase());

const fillEnum = (values: readonly unknown[], text: string): unknown =>
  values.find((value) => mentions(text, value)) ?? values[0];

function fillNumber(schema: Record<string, unknown>, text: string): number {
  const found = Number(
    /-?\d+(?:\.\d+)?/.exec(text)?.[0] ?? schema['default'] ?? schema['minimum'] ?? 1,
  );
  const min = typeof schema['minimum'] === 'number' ? schema['minimum'] : -Infinity;
  const max = typeof schema['maximum'] === 'number' ? schema['maximum'] : Infinity;
  return Math.min(max, Math.max(min, Number.isFinite(found) ? found : 1));
}

// What follows one of these words is usually the value: "the weather in London".
const after = /\b(?:in|for|to|about|called|named|of|at|on|titled|saying)\s+(\S.*)/is;
const punctuation = /(?<![.?!])[.?!]+$/;
const address = /(?<![^\s@])[^\s@]+@[\w-]+(?:\.[\w-]+)+/;
const wholeSentence = /question|query|prompt|message|text|content|body|description|note|request/i;

function fillString(schema: Record<string, unknown>, { text, name }: Slot): string {
  const quoted = /["“']([^"“”']{2,})["”']/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (schema['format'] === 'date') return /\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? '2026-01-01';
  if (schema['format'] === 'date-time')
    return /\d{4}-\d{2}-\d{2}T\S+/.exec(text)?.[0] ?? '2026-01-01T09:00:00Z';
  if (/e-?mail/i.test(name) || schema['format'] === 'email')
    return address.exec(text)?.[0] ?? 'someone@example.com';
  if (wholeSentence.test(name)) return text.trim();
  const sentence = text.trim().replace(punctuation, '').trimEnd();
  return after.exec(sentence)?.[1] ?? sentence;
}
