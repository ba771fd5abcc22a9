export { ParleyError } from '../errors.js';
export { AnswerStream, type StreamedAnswerEvent } from './answer-stream.js';
export type { CallOptions, ChangeOptions, ListenOptions, PostOptions } from './call-options.js';
export {
  ParleyApiError,
  ParleyConnectionError,
  ParleyWebhookError,
  type ConnectionFailure,
  type FieldError,
  type WebhookFailure,
} from './errors.js';
export type {
  Agents,
  ApiKeys,
  Approvals,
  Audit,
  Connections,
  Conversations,
  Events,
  Files,
  Members,
  Questions,
  RealtimeSessions,
  Tasks,
  Usage,
  Webhooks,
} from './groups.js';
export type { ListenedEvent } from './organization-events.js';
export { Listing, type Page } from './listing.js';
export { Parley, type ParleyOptions } from './parley.js';
export { headersOf } from './response-headers.js';
export type { FileToUpload } from './upload.js';
export { verifyWebhook, type WebhookRequest } from './verify-webhook.js';
export type * from './contract.js';
