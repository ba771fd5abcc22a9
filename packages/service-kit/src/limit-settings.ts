import type { Setting } from './setting.js';
import { addressRange, front, perMinute, seconds, stored } from './setting-shapes.js';

const quota = { kind: 'integer', min: 0, max: 1_000_000_000_000_000 } as const;
const quotaReaders = [...stored, 'admin'] as const;

/** The rows of the settings table that keep one caller from using up what all of them share. */
export const limitSettings = {
  RATE_LIMIT_PER_MINUTE: {
    ...perMinute,
    default: 600,
    apps: front,
    doc: 'REST requests per API key and minute.',
  },
  RATE_LIMIT_SESSIONS_PER_MINUTE: {
    ...perMinute,
    default: 120,
    apps: front,
    doc: 'Realtime sessions created per API key and minute.',
  },
  FAILED_ATTEMPTS_PER_MINUTE: {
    ...perMinute,
    default: 60,
    apps: front,
    doc: 'Requests with a wrong API key, and WebSocket upgrades with a wrong token, per client address and minute; more are refused before a store is asked.',
  },
  TRUSTED_PROXIES: {
    kind: 'list',
    item: addressRange,
    default: [],
    unset: 'none: the address of the connection counts',
    apps: front,
    doc: 'Addresses and ranges of the load balancers whose X-Forwarded-For is believed.',
  },
  RUN_MAX_MODEL_CALLS: {
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 50,
    apps: stored,
    doc: 'Requests to text models that one question may make, its sub-agents included; the last one is made without tools.',
  },
  RUN_MAX_TOOL_CALLS: {
    kind: 'integer',
    min: 0,
    max: 100_000,
    default: 100,
    apps: stored,
    doc: 'Tool calls that one question may make, its sub-agents included.',
  },
  RUN_MAX_SECONDS: {
    ...seconds,
    default: 300,
    apps: stored,
    doc: 'How long one question may be worked on before it is answered with what is known; waiting for approval does not count.',
  },
  QUOTA_REALTIME_SESSIONS: {
    ...quota,
    default: 1000,
    apps: quotaReaders,
    doc: 'Realtime sessions of one organization that are open at a time.',
  },
  QUOTA_QUESTIONS: {
    ...quota,
    default: 50,
    apps: quotaReaders,
    doc: 'Questions of one organization that are being answered at a time; those that wait for approval do not count.',
  },
  QUOTA_FILE_BYTES: {
    ...quota,
    default: 10_737_418_240,
    apps: quotaReaders,
    doc: 'Bytes of temporary files that are kept for one organization.',
  },
  QUOTA_TOKENS_PER_DAY: {
    ...quota,
    default: 100_000_000,
    apps: quotaReaders,
    doc: 'Tokens of models, in and out, that one organization may use in a day of UTC.',
  },
  QUOTA_MCP_SERVERS_PER_AGENT: {
    ...quota,
    default: 16,
    apps: quotaReaders,
    doc: 'MCP servers among the tools of one agent.',
  },
} as const satisfies Record<string, Setting>;
