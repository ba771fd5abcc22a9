import { createHash } from 'node:crypto';
import { parseTemplate, type Tool } from '@parley/protocol';
import { ToolFailure } from './tool.js';
import {
  fillForm,
  fillHeader,
  fillJson,
  fillText,
  fillUrl,
  fillXml,
  plainText,
  type TemplateValues,
} from './template-fill.js';

export type HttpTool = Extract<Tool, { kind: 'http' }>;

export type HttpRequest = {
  readonly method: HttpTool['method'];
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

/** The request for a call of an HTTP tool. Equal calls make equal requests. */
export function httpRequest(tool: HttpTool, values: TemplateValues, callId: string): HttpRequest {
  const { method } = tool;
  const headers: Record<string, string> = {
    accept: 'application/json, text/plain;q=0.9, */*;q=0.5',
    'user-agent': 'parley',
    'idempotency-key': createHash('sha256').update(callId).digest('hex'),
    ...Object.fromEntries(
      Object.entries(tool.headers ?? {}).map(([name, template]) => [
        name.toLowerCase(),
        fillHeader(template, values),
      ]),
    ),
  };
  if (method === 'GET' || method === 'DELETE')
    return { method, url: urlWithQuery(tool, values), headers };
  const url = urlOf(tool, values).href;
  if (tool.body === undefined) {
    headers['content-type'] ??= 'application/json';
    return { method, url, headers, body: JSON.stringify(values.arguments) };
  }
  headers['content-type'] ??= looksLikeJson(tool.body)
    ? 'application/json'
    : 'text/plain; charset=utf-8';
  return { method, url, headers, body: fillerFor(headers['content-type'])(tool.body, values) };
}

/**
 * Arguments that the URL's template does not use go into the query, unless the template fixes a
 * parameter of that name; a list becomes a repeated parameter.
 */
function urlWithQuery(tool: HttpTool, values: TemplateValues): string {
  const url = urlOf(tool, values);
  const fixed = new Set(fixedParameters(tool.url));
  const template = parseTemplate(tool.url);
  const used = new Set(
    template.ok
      ? template.parts.flatMap((part) => (part.kind === 'argument' ? [part.name] : []))
      : [],
  );
  for (const [name, value] of Object.entries(values.arguments)) {
    if (used.has(name) || fixed.has(stemOf(name))) continue;
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      if (one !== null) url.searchParams.append(name, plainText(one));
  }
  return url.href;
}

/**
 * With a placeholder as a parameter's name, an argument could name one that the template fixes, and
 * servers disagree on which of the two counts.
 */
function urlOf(tool: HttpTool, values: TemplateValues): URL {
  const url = new URL(fillUrl(tool.url, values));
  const fixed = fixedParameters(tool.url);
  const given = [...url.searchParams.keys()].map(stemOf);
  for (const name of new Set(fixed))
    if (count(given, name) > count(fixed, name))
      throw new ToolFailure(`An argument names the query parameter ${name}, which is fixed.`);
  return url;
}

/** Names of the query parameters in a URL's template that contain no placeholder. */
function fixedParameters(template: string): string[] {
  const query = /\?([^#]*)/.exec(template)?.[1] ?? '';
  return query
    .split('&')
    .filter((parameter) => !parameter.split('=')[0]?.includes('{{'))
    .flatMap((parameter) => [...new URLSearchParams(parameter).keys()].map(stemOf));
}

/** Many servers read `a[]`, `a[0]` or `a.b` as parts of `a`, or `A` as `a`. */
function stemOf(name: string): string {
  return name.toLowerCase().split(/[[.]/, 1)[0] ?? '';
}

function count(names: readonly string[], wanted: string): number {
  return names.filter((name) => name === wanted).length;
}

const fillers = [
  { type: /\bx-www-form-urlencoded\b/i, fill: fillForm },
  { type: /[/+]json\b/i, fill: fillJson },
  { type: /[/+](?:xml|html)\b/i, fill: fillXml },
];

function fillerFor(contentType: string): typeof fillText {
  return fillers.find(({ type }) => type.test(contentType))?.fill ?? fillText;
}

function looksLikeJson(template: string): boolean {
  return /^\s*[{["]/.test(template);
}
