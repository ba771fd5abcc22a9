import type { Connection, ConnectionInput, ConnectionPatch } from '@parley/client/server';

export type Kind = Connection['kind'];

/** What a person is told about each kind of provider. */
export const kinds: Readonly<
  Record<
    Kind,
    { readonly label: string; readonly address: 'required' | 'optional'; readonly example: string }
  >
> = {
  openai: { label: 'OpenAI', address: 'optional', example: 'https://api.openai.com/v1' },
  'azure-openai': {
    label: 'Azure OpenAI',
    address: 'required',
    example: 'https://your-resource.openai.azure.com',
  },
  'openai-compatible': {
    label: 'OpenAI-compatible',
    address: 'required',
    example: 'https://models.example.com/v1',
  },
  simulator: {
    label: 'Simulator, for tries without a provider',
    address: 'optional',
    example: '',
  },
};

export const kindNames = Object.keys(kinds) as Kind[];

/** What the form holds: all of it as a person types it. */
export type ConnectionForm = {
  readonly name: string;
  readonly kind: Kind;
  readonly baseUrl: string;
  /** One a line, or with commas. */
  readonly models: string;
  readonly realtime: boolean;
  readonly enabled: boolean;
  /** Undefined: the stored one stays. Null: it is removed. */
  readonly secret: string | null | undefined;
};

export const emptyForm: ConnectionForm = {
  name: '',
  kind: 'openai',
  baseUrl: '',
  models: '',
  realtime: true,
  enabled: true,
  secret: '',
};

export function formOf(connection: Connection): ConnectionForm {
  const { name, kind, baseUrl, models, realtime, enabled } = connection;
  return {
    name,
    kind,
    baseUrl: baseUrl ?? '',
    models: models.join('\n'),
    realtime,
    enabled,
    secret: connection.hasSecret ? undefined : '',
  };
}

export function patchOf(form: ConnectionForm): ConnectionPatch {
  const { name, baseUrl, realtime, enabled, secret } = form;
  return {
    name: name.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    models: modelsIn(form.models),
    realtime,
    enabled,
    ...(secret !== undefined && secret !== '' && { secret: secret?.trim() ?? null }),
  };
}

export function inputOf(form: ConnectionForm): ConnectionInput {
  return { ...patchOf(form), name: form.name.trim(), kind: form.kind };
}

export function modelsIn(text: string): string[] {
  const names = text.split(/[\n,]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether the stored secret would go with the change, since another host would be sent it. */
export function dropsSecret(connection: Connection, form: ConnectionForm): boolean {
  if (!connection.hasSecret || form.secret !== undefined) return false;
  return originIn(connection.baseUrl ?? '') !== originIn(form.baseUrl.trim());
}

function originIn(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
