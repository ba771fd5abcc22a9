export { ParleyError, type ParleyErrorCode } from './errors.js';
export { RealtimeSession } from './session/realtime-session.js';
export type * from './session/service-events.js';
export type * from './session/types.js';
