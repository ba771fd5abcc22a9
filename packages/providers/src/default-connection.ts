import type { ConnectionKind } from '@parley/protocol';

export type ProviderSettings = {
  readonly PROVIDER_KIND?: ConnectionKind | undefined;
  readonly PROVIDER_BASE_URL?: string | undefined;
  readonly PROVIDER_API_KEY?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
};

export type DefaultConnection = {
  readonly kind: ConnectionKind;
  readonly baseUrl: string | null;
  readonly secret: string | null;
};

/** The connection of agents that name none. OPENAI_API_KEY alone means OpenAI; undefined when nothing was configured. */
export function defaultConnection(settings: ProviderSettings): DefaultConnection | undefined {
  const { PROVIDER_KIND, PROVIDER_BASE_URL, PROVIDER_API_KEY, OPENAI_API_KEY } = settings;
  const secret = PROVIDER_API_KEY ?? OPENAI_API_KEY ?? null;
  const kind = PROVIDER_KIND ?? (secret === null ? undefined : 'openai');
  return kind && { kind, baseUrl: PROVIDER_BASE_URL ?? null, secret };
}
