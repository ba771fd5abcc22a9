export { clientAddressBehind, type ClientAddress } from './client-address.js';
export { closeServer } from './close-server.js';
export { readConfig, requireConfig } from './config.js';
export type { ConfigOf } from './config.js';
export { drainBudget, type DrainBudget } from './drain-budget.js';
export { httpMetrics } from './http-metrics.js';
export type { HttpMetrics } from './http-metrics.js';
export { eventMetrics } from './event-metrics.js';
export { createLifecycle } from './lifecycle.js';
export { listen } from './listen.js';
export { createLogger } from './logger.js';
export type { Logger } from 'pino';
export { createMetrics } from './metrics.js';
export type { Metrics } from './metrics.js';
export { runProcess } from './process.js';
export type { AppConfig, Host, Process } from './process.js';
export { createPublicServer, writeAnswer } from './public-server.js';
export type { PublicServer } from './public-server.js';
export { quotaMetrics, type QuotaMetrics } from './quota-metrics.js';
export { readOnScrape } from './read-on-scrape.js';
export { serve, stopServing, type Served } from './serve.js';
export { appNames } from './setting.js';
export type { AppName, Setting } from './setting.js';
export { settings } from './settings.js';
export type { Settings } from './settings.js';
export { settingsMarkdown } from './settings-doc.js';
export {
  attributeTo,
  attributeTo as atTheCostOf,
  emitAttributedTo,
  emitAttributedTo as emitAtTheCostOf,
  guardedBy,
  type ErrorOwner,
  type ErrorOwner as Bearer,
} from './stray-errors.js';
export { storeMetrics } from './store-metrics.js';
export { noTracing } from './tracing.js';
export type { Span, Tracing } from './span.js';
export { reportStartupFailure } from './startup.js';
export { fromSetting, StartupError, unusable, unusableSetting } from './startup-error.js';
