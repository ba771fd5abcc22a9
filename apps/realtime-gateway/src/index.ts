export { isRealtimePath } from './admission/upgrade-request.js';
export { open } from './open.js';
