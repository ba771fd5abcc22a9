export { checkConnection, type ConnectionCheck } from './check-connection.js';
export {
  connectionFor,
  defaultConnection,
  type ProviderConnection,
  type ProviderSettings,
} from './default-connection.js';
export { dialRealtime, maxProviderMessageBytes } from './dial-realtime.js';
export {
  guardedLookup,
  realtimeEndpoint,
  type RealtimeEndpoint,
  type RealtimeTarget,
} from './realtime-endpoint.js';
export { providerBase } from './provider-base.js';
export { hideSecret } from './refusal-reason.js';
export { textClient, type TextClient } from './text-client.js';
export type {
  TextAnswer,
  TextMessage,
  TextRequest,
  TextTool,
  TextToolCall,
  TextUsage,
} from './text-model.js';
