import type { Setting } from './setting.js';

export type ParsedValue =
  | { readonly ok: true; readonly value: number | boolean | string | readonly string[] }
  | { readonly ok: false; readonly wrong: string };

const decimal = /^(?:0|-?[1-9]\d*)$/;
const outerSpaceOrControl = /^\s|\s$|\p{Cc}/u;

/** Parses one value. Errors do not contain the value, which may be a secret. */
export function parseSetting(row: Setting, raw: string): ParsedValue {
  switch (row.kind) {
    case 'integer':
      return parseInteger(row, raw);
    case 'boolean':
      return raw === 'true' || raw === 'false' ? good(raw === 'true') : bad('is not a boolean');
    case 'string':
      return parseString(row, raw);
    case 'enum':
      return parseEnum(row, raw);
    case 'url':
      return parseUrl(row, raw);
    case 'list':
      return parseList(row, raw);
    case 'base64Key':
      return isKey(row.bytes, raw) ? good(raw) : bad(`is not base64 of ${row.bytes} bytes`);
  }
}

/** What a row accepts, for error messages. */
export function accepts(row: Setting): string {
  switch (row.kind) {
    case 'integer':
      return `a whole number from ${row.min} to ${row.max}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      if (row.shape) return row.shape.accepts;
      return `text without leading or trailing white space${
        row.minLength === undefined ? '' : `, at least ${row.minLength} characters`
      }`;
    case 'enum':
      return choices(row.values, 'or');
    case 'url':
      return acceptsUrl(row);
    case 'list':
      return `a comma-separated list of ${
        row.values ? choices(row.values, 'and') : (row.item?.accepts ?? 'values')
      }`;
    case 'base64Key':
      return `base64 of ${row.bytes} bytes, as made by: openssl rand -base64 ${row.bytes}`;
  }
}

type Row<Kind extends Setting['kind']> = Extract<Setting, { kind: Kind }>;

function parseInteger({ min, max }: Row<'integer'>, raw: string): ParsedValue {
  if (!decimal.test(raw)) return bad('is not a whole number');
  const value = Number(raw);
  if (value < min) return bad('is too small');
  if (value > max) return bad('is too large');
  return good(value);
}

function parseEnum({ values, formerly = {} }: Row<'enum'>, raw: string): ParsedValue {
  const value = Object.hasOwn(formerly, raw) ? formerly[raw] : raw;
  return value !== undefined && values.includes(value)
    ? good(value)
    : bad('is not one of the choices');
}

function parseString({ minLength = 1, shape }: Row<'string'>, raw: string): ParsedValue {
  // A key read from a file often ends with a newline, which is not allowed in a header.
  if (outerSpaceOrControl.test(raw))
    return bad('has leading or trailing white space, or a control character');
  if (shape && !shape.pattern.test(raw)) return bad('has the wrong format');
  return raw.length < minLength ? bad('is too short') : good(raw);
}

function parseUrl(row: Row<'url'>, raw: string): ParsedValue {
  const urls = row.several && !outerSpaceOrControl.test(raw) ? splitUrls(raw) : [raw];
  const wrong = urls.map((url) => wrongUrl(row, url)).find((one) => one !== undefined);
  if (wrong !== undefined) return bad(urls.length > 1 ? `has an item that ${wrong}` : wrong);
  return good(row.base ? raw.replace(/(?<!\/)\/+$/, '') : urls.join(','));
}

/** The items of a setting that takes several URLs. A comma inside one is written as %2C. */
export function splitUrls(raw: string): string[] {
  return raw.split(',').map((part) => part.trim());
}

function wrongUrl({ schemes, base, several }: Row<'url'>, raw: string): string | undefined {
  if (outerSpaceOrControl.test(raw) || !URL.canParse(raw)) return 'is not a URL';
  const scheme = schemes.find((name) => raw.toLowerCase().startsWith(`${name}://`));
  if (scheme === undefined) return 'has the wrong scheme';
  if (several && new URL(raw).hostname === '') return 'has no host';
  return base && /[?#]/.test(raw) ? 'has a query or a fragment' : undefined;
}

function acceptsUrl({ schemes, base, several }: Row<'url'>): string {
  const starts = choices(
    schemes.map((scheme) => `${scheme}://`),
    'or',
  );
  return [
    `a URL starting with ${starts}`,
    ...(base ? ['without a query or fragment'] : []),
    ...(several ? ['or several, separated by commas'] : []),
  ].join(', ');
}

function parseList({ values, item }: Row<'list'>, raw: string): ParsedValue {
  const items = [...new Set(raw.split(',').map((part) => part.trim()))].filter(Boolean);
  if (values && items.length === 0) return bad('names nothing');
  const known = items.every((one) => values?.includes(one) ?? item?.pattern.test(one) ?? true);
  return known ? good(items) : bad('has an invalid item');
}

function isKey(bytes: number, raw: string): boolean {
  const key = Buffer.from(raw, 'base64');
  return key.length === bytes && key.toString('base64') === raw;
}

function choices(values: readonly string[], word: 'and' | 'or'): string {
  return new Intl.ListFormat('en', { type: word === 'or' ? 'disjunction' : 'conjunction' }).format(
    values,
  );
}

function good(value: number | boolean | string | readonly string[]): ParsedValue {
  return { ok: true, value };
}

function bad(wrong: string): ParsedValue {
  return { ok: false, wrong };
}
