export { createEgress, type Egress, type EgressResponse, type GuardedFetch } from './egress.js';
export { failureCode } from './failure-code.js';
export { EgressRefused } from './policy.js';
export { boundedBody, EgressTimeout, withDeadline } from './bounds.js';
