export {
  createEgress,
  type Egress,
  type EgressRequest,
  type EgressResponse,
  type GuardedFetch,
} from './egress.js';
export { parseEgressEntry, type EgressEntry } from './allow-list.js';
export { EgressRefused } from './policy.js';
export { boundedBody, EgressTimeout } from './bounds.js';
