export { openEvents, type Events } from './events/open-events.js';
export { closeServer } from './close-server.js';
export {
  openQuestions,
  type Questions,
  type QuestionsOptions,
} from './questions/open-questions.js';
export { apiMetrics, type ApiMetrics } from './metrics.js';
export { apiVersion, createApi, type ApiOptions } from './api.js';
export { openConsole } from './accounts/open-console.js';
export { countFailedRequests } from './http/count-failures.js';
