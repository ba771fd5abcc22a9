export { clientEvents, clientRoutes } from './core/client-routes.js';
export { providerEvents, providerRoutes } from './core/provider-routes.js';
export type { ToolDeclaration } from './core/session.js';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.js';
export type {
  AdmitOutcome,
  AdmitRequest,
  AdmittedAgent,
  RecordedSession,
  SessionEnd,
  SessionRecorder,
  SessionRecords,
  SessionTools,
  Tools,
} from './ports.js';
export { open, type GatewayParts, type OpenGateway } from './open.js';
export {
  createSessionRecords,
  type DatabaseRecords,
  type SessionRecordsOptions,
} from './records/session-records.js';
export type { GatewaySettings } from './session-settings.js';
