import type { ConnectionKind } from '@parley/protocol';

export type ProviderSettings = {
  readonly PROVIDER_KIND?: ConnectionKind | undefined;
  readonly PROVIDER_BASE_URL?: string | undefined;
  readonly PROVIDER_API_KEY?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
};

export type ProviderConnection = {
  readonly kind: ConnectionKind;
  /**
   * The base URL for an OpenAI SDK, such as https://host/v1; for azure-openai, the resource's
   * origin.
   */
  readonly baseUrl: string | null;
  readonly secret: string | null;
};

/**
 * The connection of agents that name none. OPENAI_API_KEY alone means OpenAI; undefined if nothing
 * is configured.
 */
export function defaultConnection(settings: ProviderSettings): ProviderConnection | undefined {
  const { PROVIDER_KIND, PROVIDER_BASE_URL, PROVIDER_API_KEY, OPENAI_API_KEY } = settings;
  const secret = PROVIDER_API_KEY ?? OPENAI_API_KEY ?? null;
  const kind = PROVIDER_KIND ?? (secret === null ? undefined : 'openai');
  return kind && { kind, baseUrl: PROVIDER_BASE_URL ?? null, secret };
}

/**
 * The connection that a session uses: the agent's own, otherwise the deployment's. A simulator
 * without an address is the deployment's simulator, if it has one.
 */
export function connectionFor(
  own: ProviderConnection | null,
  fallback: ProviderConnection | undefined,
): ProviderConnection | undefined {
  if (own === null) return fallback;
  const ours = own.kind === 'simulator' && own.baseUrl === null && fallback?.kind === 'simulator';
  return ours ? fallback : own;
}
