/**
 * What one organization may use of what all of them share. The setting holds the deployment's default; an administrator may give an
 * organization another number. `retryAfterSeconds` is what a refused caller is told, where no better moment is known.
 */
export const quotas = {
  realtimeSessions: {
    setting: 'QUOTA_REALTIME_SESSIONS',
    retryAfterSeconds: 30,
    doc: 'Realtime sessions that are open at a time.',
  },
  questions: {
    setting: 'QUOTA_QUESTIONS',
    retryAfterSeconds: 5,
    doc: 'Questions that are being answered at a time; those that wait for approval do not count.',
  },
  fileBytes: {
    setting: 'QUOTA_FILE_BYTES',
    retryAfterSeconds: 3600,
    doc: 'Bytes of temporary files that are kept.',
  },
  tokensPerDay: {
    setting: 'QUOTA_TOKENS_PER_DAY',
    retryAfterSeconds: 3600,
    doc: 'Tokens of models, in and out, in one day of UTC.',
  },
  mcpServersPerAgent: {
    setting: 'QUOTA_MCP_SERVERS_PER_AGENT',
    retryAfterSeconds: 86_400,
    doc: 'MCP servers among the tools of one agent.',
  },
} as const satisfies Record<
  string,
  { setting: `QUOTA_${string}`; retryAfterSeconds: number; doc: string }
>;

export type QuotaName = keyof typeof quotas;
export type QuotaLimits = Readonly<Record<QuotaName, number>>;
/** The deployment's defaults, as they stand among its settings. */
export type QuotaSettings = Readonly<Record<(typeof quotas)[QuotaName]['setting'], number>>;

export const quotaNames = Object.keys(quotas) as QuotaName[];

export function isQuotaName(text: string): text is QuotaName {
  return Object.hasOwn(quotas, text);
}

export function quotaDefaults(settings: QuotaSettings): QuotaLimits {
  const entries = quotaNames.map((name) => [name, settings[quotas[name].setting]]);
  return Object.fromEntries(entries) as QuotaLimits;
}
