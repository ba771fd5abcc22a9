import type { Agent, AgentInput } from '@parley/client/server';
import { sameJson } from '../../parts/changes.js';
import { isObject, own, prettyJson, type Json } from './json.js';
import { inOrder } from './tool-form.js';
import type { Snippet } from '../../parts/code-block.js';

/** The deployment that the code calls. */
export type CodePlace = { readonly baseUrl: string; readonly organizationId: string };

const defaults = {
  description: '',
  systemMessage: '',
  connectionId: null,
  fallbackConnectionIds: [],
  textModel: null,
  voice: 'alloy',
  turnDetection: { type: 'semantic_vad' },
  outputModalities: ['audio'],
  icon: null,
  iconColor: null,
  imageUrl: null,
  realtimeEnabled: true,
  tools: [],
} as const satisfies Partial<AgentInput>;

/**
 * The input that creates such an agent, without default values. Secrets are listed by name; whoever
 * runs the code fills in their values.
 */
export function inputOf(agent: Agent): Json {
  const { id, version, createdAt, updatedAt, secretNames, ...fields } = agent;
  const told = Object.entries(fields).filter(
    ([name, value]) => !sameJson(value, own<unknown>(defaults, name)),
  );
  return {
    ...Object.fromEntries(told),
    ...(agent.tools.length > 0 && { tools: agent.tools.map(inOrder) }),
    ...(secretNames.length > 0 && {
      secrets: Object.fromEntries(secretNames.map((name) => [name, `value of ${name}`])),
    }),
  };
}

export function codeOf(agent: Agent, place: CodePlace): readonly Snippet[] {
  const input = inputOf(agent);
  return [
    { language: 'curl', code: curlOf(input, place) },
    { language: 'TypeScript', code: typeScriptOf(input, place) },
  ];
}

function curlOf(input: Json, { baseUrl, organizationId }: CodePlace): string {
  return `curl ${shellText(`${baseUrl}/api/v1/Agent`)} \\
  -H "X-Api-Key: $API_KEY" \\
  -H ${shellText(`X-Org-Id: ${organizationId}`)} \\
  --json ${shellText(prettyJson(input))}`;
}

/** Quoted for the shell: inside single quotes, only the quote itself is special. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typeScriptOf(input: Json, { baseUrl, organizationId }: CodePlace): string {
  return `import { Parley } from '@parley/client/server';

const parley = new Parley({
  baseUrl: ${scriptValue(baseUrl, '  ')},
  organizationId: ${scriptValue(organizationId, '  ')},
  apiKey: process.env.API_KEY,
});

const agent = await parley.agents.create(${scriptValue(input, '')});
console.log(agent.id);`;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/**
 * Formats a value as a person would write it: no quotes around names that need none, single quotes
 * around strings.
 */
export function scriptValue(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return scriptText(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `${inner}${scriptValue(item, inner)},\n`).join('')}${indent}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(
    ([name, item]) =>
      `${inner}${identifier.test(name) ? name : scriptText(name)}: ${scriptValue(item, inner)},\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

function scriptText(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"');
  return `'${escaped.replaceAll("'", String.raw`\'`)}'`;
}
