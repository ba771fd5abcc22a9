import type { Connection, ConnectionInput, ConnectionPatch } from '@parley/client/server';
import { changesOf } from '../../parts/changes.js';

export type Kind = Connection['kind'];

/** The texts for each type of provider. */
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
    label: 'Simulator, for testing without a provider',
    address: 'optional',
    example: '',
  },
};

export const kindNames = Object.keys(kinds) as Kind[];

/** The form's state, as the user types it. */
export type ConnectionForm = {
  readonly name: string;
  readonly kind: Kind;
  readonly baseUrl: string;
  /** One per line, or separated by commas. */
  readonly models: string;
  readonly realtime: boolean;
  readonly enabled: boolean;
  /** Undefined keeps the stored secret; null removes it. */
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

/** What was changed in the form. */
export function patchOf(before: ConnectionForm, form: ConnectionForm): ConnectionPatch {
  return changesOf(fieldsOf(before), fieldsOf(form));
}

export function inputOf(form: ConnectionForm): ConnectionInput {
  return { ...fieldsOf(form), kind: form.kind };
}

function fieldsOf(form: ConnectionForm) {
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

export function modelsIn(text: string): string[] {
  const names = text.split(/[\n,]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Whether the change drops the stored secret, because it would be sent to another host. */
export function dropsSecret(connection: Connection, form: ConnectionForm): boolean {
  if (!connection.hasSecret || form.secret !== undefined) return false;
  return originIn(connection.baseUrl ?? '') !== originIn(form.baseUrl.trim());
}

function originIn(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
