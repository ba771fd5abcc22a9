import type { ConnectionKind } from '@parley/protocol';
import type { ProviderConnection } from './default-connection.js';

type KindRule = {
  readonly defaultBaseUrl?: string;
  /** Where the OpenAI-compatible API starts under the base URL. */
  readonly path: string;
  readonly authorize: (secret: string) => Record<string, string>;
};

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

const kinds: Readonly<Record<ConnectionKind, KindRule>> = {
  openai: { defaultBaseUrl: 'https://api.openai.com/v1', path: '', authorize: bearer },
  'azure-openai': { path: '/openai/v1', authorize: (secret) => ({ 'api-key': secret }) },
  'openai-compatible': { path: '', authorize: bearer },
  simulator: { path: '', authorize: bearer },
};

/** Whether it is known where a connection leads. */
export function hasBase(connection: ProviderConnection): boolean {
  return baseUrlOf(connection) !== undefined;
}

function baseUrlOf({ kind, baseUrl }: ProviderConnection): string | undefined {
  return baseUrl ?? kinds[kind].defaultBaseUrl;
}

/**
 * The URL and credentials for a provider's models. Undefined if the connection has no base URL and
 * its kind has no default.
 */
export function providerBase(
  connection: ProviderConnection,
): { url: string; headers: Record<string, string> } | undefined {
  const { path, authorize } = kinds[connection.kind];
  const base = baseUrlOf(connection);
  if (base === undefined) return undefined;
  const url = new URL(base);
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '') + path;
  url.hash = '';
  return { url: url.href, headers: connection.secret === null ? {} : authorize(connection.secret) };
}
