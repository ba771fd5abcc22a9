export { checkConnection, type ConnectionCheck } from './check-connection.js';
export { connectionFor, defaultConnection, type ProviderConnection } from './default-connection.js';
export { dialRealtime, maxProviderMessageBytes } from './dial-realtime.js';
export { guardedLookup, realtimeEndpoint, type RealtimeEndpoint } from './realtime-endpoint.js';
export { hasBase, providerBase } from './provider-base.js';
export { hideSecret } from './refusal-reason.js';
export type { TextClient } from './text-client.js';
export type { TextAnswer, TextMessage, TextToolCall, TextUsage } from './text-model.js';
