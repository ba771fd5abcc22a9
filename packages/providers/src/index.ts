export { dialRealtime, maxProviderMessageBytes } from './dial-realtime.js';
export {
  realtimeEndpoint,
  type RealtimeEndpoint,
  type RealtimeTarget,
} from './realtime-endpoint.js';
export { hideSecret } from './refusal-reason.js';
