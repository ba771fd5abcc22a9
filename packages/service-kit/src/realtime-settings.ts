import type { Setting } from './setting.js';
import { front, gateway, onOff, origin, seconds, stored, text } from './setting-shapes.js';

const audioFormats = {
  kind: 'list',
  values: ['pcm16', 'g711_ulaw', 'g711_alaw'],
  default: ['pcm16'],
} as const;

/** The rows of the settings table for realtime sessions. */
export const realtimeSettings = {
  REALTIME_ENABLED: {
    ...onOff,
    default: true,
    apps: front,
    doc: 'Whether realtime sessions can be created.',
  },
  REALTIME_MODEL: {
    ...text,
    default: 'gpt-realtime',
    apps: front,
    doc: 'Realtime model of the default provider, and of agents that do not specify one.',
  },
  REALTIME_TRANSCRIPTION_MODEL: {
    ...text,
    default: 'gpt-4o-mini-transcribe',
    apps: gateway,
    doc: "Model that transcribes the user's speech.",
  },
  REALTIME_SESSION_TTL_SECONDS: {
    ...seconds,
    default: 60,
    apps: front,
    doc: 'How long a created session can be opened.',
  },
  REALTIME_MAX_SESSION_SECONDS: {
    ...seconds,
    default: 1800,
    apps: stored,
    doc: 'Maximum duration of a realtime session.',
  },
  REALTIME_IDLE_TIMEOUT_SECONDS: {
    ...seconds,
    default: 60,
    apps: front,
    doc: 'Closes a session after this long without a data frame.',
  },
  REALTIME_CLIENT_TOOL_TIMEOUT_SECONDS: {
    ...seconds,
    default: 120,
    apps: gateway,
    doc: 'How long a client may take to answer a call of a client tool; then the model is told that there was no answer.',
  },
  REALTIME_APPROVAL_TIMEOUT_SECONDS: {
    ...seconds,
    default: 300,
    apps: stored,
    doc: 'How long a tool call waits for approval.',
  },
  REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: {
    ...seconds,
    default: 15,
    apps: gateway,
    doc: 'How long the provider may take to accept a session.',
  },
  REALTIME_PROVIDER_RENEWALS: {
    kind: 'integer',
    min: 0,
    max: 100,
    default: 3,
    apps: gateway,
    doc: 'How often in a minute a session continues on another connection after its provider failed; 0 ends the session instead. Renewals before the provider’s own maximum duration do not count.',
  },
  PROVIDER_WARM_SOCKETS: {
    kind: 'integer',
    min: 0,
    max: 100,
    default: 0,
    apps: gateway,
    doc: 'How many sockets a gateway keeps open to each provider connection that was used in the last minutes, so that the next sessions need not wait for the handshake. Each counts as a session for the provider.',
  },
  REALTIME_MAX_MESSAGE_BYTES: {
    kind: 'integer',
    min: 256,
    max: 16_777_216,
    default: 65_536,
    apps: gateway,
    doc: 'Maximum size of a WebSocket message from a client.',
  },
  REALTIME_INPUT_AUDIO_FORMATS: {
    ...audioFormats,
    apps: front,
    doc: 'Audio formats that a client may send.',
  },
  REALTIME_OUTPUT_AUDIO_FORMATS: {
    ...audioFormats,
    apps: front,
    doc: 'Audio formats that a client may request.',
  },
  REALTIME_CLIENT_OVERRIDES: {
    kind: 'enum',
    values: ['merge', 'refuse', 'allow'],
    default: 'merge',
    apps: gateway,
    doc: "What a client may change with session.update and response.create: what the agent leaves open (`merge`), nothing (`refuse`), or everything, including the agent's instructions and tools (`allow`).",
  },
  REALTIME_REDACT_SESSION_ECHO: {
    kind: 'enum',
    values: ['off', 'tools', 'all'],
    formerly: { false: 'off', true: 'all' },
    default: 'off',
    apps: gateway,
    doc: "What session.created and session.updated hide from the client: nothing (`off`), which lets it read the agent's instructions and tools; the backend tools (`tools`); or both (`all`). `true` is accepted for `all`, and `false` for `off`.",
  },
  REALTIME_HISTORY_MESSAGES: {
    kind: 'integer',
    min: 0,
    max: 1000,
    default: 50,
    apps: front,
    doc: 'Number of earlier messages and tool calls of a conversation to send to the model; 0 sends none.',
  },
  REALTIME_HISTORY_CHARACTERS: {
    kind: 'integer',
    min: 0,
    max: 10_000_000,
    default: 32_000,
    apps: front,
    doc: 'Maximum number of characters of earlier messages to send to the model; the newest are kept.',
  },
  REALTIME_MAX_SESSIONS: {
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    default: 2000,
    apps: gateway,
    doc: 'Maximum number of sessions per gateway process; more are refused with 503.',
  },
  REALTIME_ALLOWED_ORIGINS: {
    kind: 'list',
    item: origin,
    default: [],
    unset: 'any',
    apps: gateway,
    doc: 'Browser origins that may open a session, separated by commas.',
  },
} as const satisfies Record<string, Setting>;
