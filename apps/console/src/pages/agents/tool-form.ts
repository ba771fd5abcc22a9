import type { Tool } from '@parley/client/server';
import { isObject, textOf, type Json } from './json.js';
import { parametersOf, rowsOf, type ParameterRow } from './parameter-rows.js';

/**
 * The form's state of a tool. Anything without a field, or that a field cannot show, is kept in
 * `rest`, so that converting JSON to the form and back is lossless.
 */
export type ToolForm = {
  readonly kind: ToolKind;
  readonly name: string;
  readonly description: string;
  readonly title: string;
  readonly imageUrl: string;
  readonly buttonLabel: string;
  readonly buttonLink: string;
  readonly timeoutSeconds: string;
  readonly approvalRequired: boolean;
  readonly approvers: Approvers;
  readonly method: Method;
  readonly url: string;
  readonly body: string;
  readonly headers: readonly Pair[];
  readonly parameters: readonly ParameterRow[];
  /** The parts of the arguments' schema other than its properties. */
  readonly parametersRest: Json;
  readonly serverUrl: string;
  readonly allowedTools: readonly string[];
  readonly policyDefault: Policy;
  readonly policies: readonly Pair[];
  readonly agentId: string;
  readonly rest: Json;
};

export type Pair = { readonly name: string; readonly value: string };
export const toolKinds = ['http', 'mcp', 'subagent', 'builtin'] as const;
export type ToolKind = Tool['kind'];
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];
export const approverChoices = ['both', 'client', 'api'] as const;
export type Approvers = (typeof approverChoices)[number];
export const policyChoices = ['', 'always', 'never'] as const;
export type Policy = (typeof policyChoices)[number];

export const emptyForm: ToolForm = {
  kind: 'http',
  name: '',
  description: '',
  title: '',
  imageUrl: '',
  buttonLabel: '',
  buttonLink: '',
  timeoutSeconds: '',
  approvalRequired: false,
  approvers: 'both',
  method: 'GET',
  url: '',
  body: '',
  headers: [],
  parameters: [],
  parametersRest: {},
  serverUrl: '',
  allowedTools: [],
  policyDefault: '',
  policies: [],
  agentId: '',
  rest: {},
};

/** Fields specific to one type, in the order of its JSON. */
type Writer = (form: ToolForm) => Json;

const writers: Readonly<Record<ToolKind, Writer>> = {
  http: (form) => ({
    method: form.method,
    url: form.url,
    ...some('headers', objectOf(form.headers)),
    ...(form.body !== '' && { body: form.body }),
    ...some('parameters', parametersOf(form.parameters, form.parametersRest)),
  }),
  mcp: (form) => ({
    serverUrl: form.serverUrl,
    ...some('headers', objectOf(form.headers)),
    ...(form.allowedTools.length > 0 && { allowedTools: form.allowedTools }),
    ...some('approvalPolicy', {
      ...(form.policyDefault !== '' && { default: form.policyDefault }),
      ...some('tools', objectOf(form.policies)),
    }),
  }),
  subagent: ({ agentId }) => ({ agentId }),
  builtin: () => ({}),
};

/** The tool that the form describes, in the API's format. */
export function toolOf(form: ToolForm): Json {
  const needsDescription = form.kind === 'http';
  return {
    kind: form.kind,
    name: form.name,
    ...((needsDescription || form.description !== '') && { description: form.description }),
    ...(form.title !== '' && { title: form.title }),
    ...writers[form.kind](form),
    ...(form.approvalRequired && { approvalRequired: true }),
    ...(form.approvers !== 'both' && { approvers: [form.approvers] }),
    ...(form.timeoutSeconds !== '' && { timeoutSeconds: numberOf(form.timeoutSeconds) }),
    ...(form.imageUrl !== '' && { imageUrl: form.imageUrl }),
    ...((form.buttonLabel !== '' || form.buttonLink !== '') && {
      button: { label: form.buttonLabel, link: form.buttonLink },
    }),
    ...form.rest,
  };
}

const order = [
  'kind',
  'name',
  'description',
  'title',
  'method',
  'url',
  'serverUrl',
  'agentId',
  'headers',
  'body',
  'parameters',
  'allowedTools',
  'approvalPolicy',
  'approvalRequired',
  'approvers',
];

/** Sorts the keys as a person would write them, because the service does not keep their order. */
export function inOrder(tool: Json): Json {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(Object.entries(tool).sort(([a], [b]) => place(a) - place(b)));
}

/** The form of a tool, from its JSON. */
export function formOf(tool: Json): ToolForm {
  const rest = { ...tool };
  const take = <T>(name: string, read: (value: unknown) => T | undefined, absent: T): T => {
    const value = Object.hasOwn(rest, name) ? read(rest[name]) : undefined;
    if (value === undefined) return absent;
    Reflect.deleteProperty(rest, name);
    return value;
  };
  const kind = take('kind', oneOf(toolKinds), 'http');
  const common = {
    ...emptyForm,
    kind,
    name: take('name', textOf, ''),
    description: take('description', textOf, ''),
    title: take('title', textOf, ''),
    imageUrl: take('imageUrl', textOf, ''),
    ...take('button', readButton, {}),
    timeoutSeconds: take('timeoutSeconds', readNumber, ''),
    approvalRequired: take('approvalRequired', readBoolean, false),
    approvers: take('approvers', readApprovers, 'both'),
  };
  return { ...common, ...readers[kind](take), rest };
}

type Take = <T>(name: string, read: (value: unknown) => T | undefined, absent: T) => T;

const readers: Readonly<Record<ToolKind, (take: Take) => Partial<ToolForm>>> = {
  http: (take) => ({
    method: take('method', oneOf(methods), 'GET'),
    url: take('url', textOf, ''),
    body: take('body', textOf, ''),
    headers: take('headers', readPairs, []),
    ...take('parameters', readParameters, {}),
  }),
  mcp: (take) => ({
    serverUrl: take('serverUrl', textOf, ''),
    headers: take('headers', readPairs, []),
    allowedTools: take('allowedTools', readTexts, []),
    ...take('approvalPolicy', readPolicy, {}),
  }),
  subagent: (take) => ({ agentId: take('agentId', textOf, '') }),
  builtin: () => ({}),
};

function readButton(value: unknown): Partial<ToolForm> | undefined {
  if (!isObject(value) || !hasOnly(value, ['label', 'link'])) return undefined;
  const [buttonLabel, buttonLink] = [textOf(value.label ?? ''), textOf(value.link ?? '')];
  return buttonLabel === undefined || buttonLink === undefined
    ? undefined
    : { buttonLabel, buttonLink };
}

function readParameters(value: unknown): Partial<ToolForm> | undefined {
  if (!isObject(value)) return undefined;
  const read = rowsOf(value);
  return read && { parameters: read.rows, parametersRest: read.rest };
}

function readPolicy(value: unknown): Partial<ToolForm> | undefined {
  if (!isObject(value) || !hasOnly(value, ['default', 'tools'])) return undefined;
  const policyDefault = oneOf(policyChoices)(value.default ?? '');
  const policies = readPairs(value.tools ?? {});
  return policyDefault === undefined || policies === undefined
    ? undefined
    : { policyDefault, policies };
}

function readApprovers(value: unknown): Approvers | undefined {
  const names = readTexts(value);
  if (!names || names.length === 0 || new Set(names).size !== names.length) return undefined;
  if (names.length === 1) return oneOf(['client', 'api'])(names[0]);
  return names.length === 2 && names.includes('client') && names.includes('api')
    ? 'both'
    : undefined;
}

function readPairs(value: unknown): readonly Pair[] | undefined {
  if (!isObject(value)) return undefined;
  const pairs = Object.entries(value).map(([name, inner]) => ({ name, value: textOf(inner) }));
  return pairs.every((pair): pair is Pair => pair.value !== undefined) ? pairs : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.map(textOf);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function readBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function readNumber(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined;
}

function oneOf<const Word extends string>(words: readonly Word[]) {
  return (value: unknown): Word | undefined => words.find((word) => word === value);
}

function hasOnly(value: Json, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}

/** Text that is not a number is sent unchanged; the API explains the error. */
function numberOf(text: string): number | string {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

/** Rows without a name are ignored. */
function objectOf(pairs: readonly Pair[]): Json {
  return Object.fromEntries(
    pairs.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
  );
}

function some(name: string, value: Json): Json {
  return Object.keys(value).length > 0 ? { [name]: value } : {};
}
