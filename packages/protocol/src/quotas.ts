/**
 * How much of the shared resources one organization may use. The setting is the deployment's
 * default; an administrator can set another number for an organization. `retryAfterSeconds` is the
 * Retry-After of a refusal if no better time is known.
 */
export const quotas = {
  realtimeSessions: {
    setting: 'QUOTA_REALTIME_SESSIONS',
    retryAfterSeconds: 30,
    doc: 'Open realtime sessions.',
  },
  questions: {
    setting: 'QUOTA_QUESTIONS',
    retryAfterSeconds: 5,
    doc: 'Questions being answered at a time; those waiting for approval do not count.',
  },
  fileBytes: {
    setting: 'QUOTA_FILE_BYTES',
    retryAfterSeconds: 3600,
    doc: 'Total size of temporary files, in bytes.',
  },
  tokensPerDay: {
    setting: 'QUOTA_TOKENS_PER_DAY',
    retryAfterSeconds: 3600,
    doc: 'Model tokens, input and output, per UTC day.',
  },
  mcpServersPerAgent: {
    setting: 'QUOTA_MCP_SERVERS_PER_AGENT',
    retryAfterSeconds: 86_400,
    doc: 'MCP servers per agent.',
  },
} as const satisfies Record<
  string,
  { setting: `QUOTA_${string}`; retryAfterSeconds: number; doc: string }
>;

export type QuotaName = keyof typeof quotas;
export type QuotaLimits = Readonly<Record<QuotaName, number>>;
/** The deployment's defaults, as settings. */
export type QuotaSettings = Readonly<Record<(typeof quotas)[QuotaName]['setting'], number>>;

export const quotaNames = Object.keys(quotas) as QuotaName[];

export function isQuotaName(text: string): text is QuotaName {
  return Object.hasOwn(quotas, text);
}

export function quotaDefaults(settings: QuotaSettings): QuotaLimits {
  const entries = quotaNames.map((name) => [name, settings[quotas[name].setting]]);
  return Object.fromEntries(entries) as QuotaLimits;
}
