export { closeServer } from './close-server.js';
export { apiMetrics, type ApiMetrics } from './metrics.js';
export { apiVersion, createApi, type ApiOptions } from './api.js';
