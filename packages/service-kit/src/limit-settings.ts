import type { Setting } from './setting.js';
import { addressRange, front, perMinute, seconds, stored } from './setting-shapes.js';

const quota = { kind: 'integer', min: 0, max: 1_000_000_000_000_000 } as const;
const quotaReaders = [...stored, 'admin'] as const;

/** The rows of the settings table that keep one caller from using up shared resources. */
export const limitSettings = {
  RATE_LIMIT_PER_MINUTE: {
    ...perMinute,
    default: 600,
    apps: front,
    doc: 'Maximum number of REST requests per API key and minute.',
  },
  RATE_LIMIT_SESSIONS_PER_MINUTE: {
    ...perMinute,
    default: 120,
    apps: front,
    doc: 'Maximum number of realtime sessions created per API key and minute.',
  },
  FAILED_ATTEMPTS_PER_MINUTE: {
    ...perMinute,
    default: 60,
    apps: front,
    doc: 'Maximum number of requests with a wrong API key, and of WebSocket upgrades with a wrong token, per client address and minute; more are refused before any store is queried.',
  },
  TRUSTED_PROXIES: {
    kind: 'list',
    item: addressRange,
    default: [],
    unset: 'none: the address of the connection is used',
    apps: front,
    doc: 'Addresses and ranges of the load balancers whose X-Forwarded-For header is trusted.',
  },
  RUN_MAX_MODEL_CALLS: {
    kind: 'integer',
    min: 1,
    max: 10_000,
    default: 50,
    apps: stored,
    doc: 'Maximum number of requests to text models per question, including its sub-agents; the last one is made without tools.',
  },
  RUN_MAX_TOOL_CALLS: {
    kind: 'integer',
    min: 0,
    max: 100_000,
    default: 100,
    apps: stored,
    doc: 'Maximum number of tool calls per question, including its sub-agents.',
  },
  RUN_MAX_SECONDS: {
    ...seconds,
    default: 300,
    apps: stored,
    doc: 'How long a question may take before the agent must answer with what it has; waiting for approval does not count.',
  },
  QUOTA_REALTIME_SESSIONS: {
    ...quota,
    default: 1000,
    apps: quotaReaders,
    doc: 'Maximum number of open realtime sessions per organization.',
  },
  QUOTA_QUESTIONS: {
    ...quota,
    default: 50,
    apps: quotaReaders,
    doc: 'Maximum number of questions being answered at a time per organization; those waiting for approval do not count.',
  },
  QUOTA_FILE_BYTES: {
    ...quota,
    default: 10_737_418_240,
    apps: quotaReaders,
    doc: 'Maximum total size of temporary files per organization, in bytes.',
  },
  QUOTA_TOKENS_PER_DAY: {
    ...quota,
    default: 100_000_000,
    apps: quotaReaders,
    doc: 'Maximum number of model tokens, input and output, per organization and UTC day.',
  },
  QUOTA_MCP_SERVERS_PER_AGENT: {
    ...quota,
    default: 16,
    apps: quotaReaders,
    doc: 'Maximum number of MCP servers per agent.',
  },
} as const satisfies Record<string, Setting>;
