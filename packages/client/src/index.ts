export { ParleyError, type ParleyErrorCode } from './errors.js';
export { RealtimeSession } from './session/realtime-session.js';
export type {
  ClientTool,
  ConnectOptions,
  CreatedSession,
  CreateSession,
  SessionRequest,
  ToolDeclaration,
  Traffic,
} from './session/connect-options.js';
export type { Activity, Approval, Message, ToolCall } from './session/conversation.js';
export type { AudioChunk, AudioFormat, Heard, Player } from './session/player.js';
export type { ProviderEventType, ServiceEvents } from './session/service-events.js';
export type {
  RawEvent,
  SessionEvents,
  SessionProblem,
  SessionState,
  StateChange,
} from './session/session-events.js';
export { placeCalls, timelineOf, type CallPlaces, type TimelineEntry } from './session/timeline.js';
