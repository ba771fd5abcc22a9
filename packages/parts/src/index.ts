export { openParts, type Parts, type PartsOptions } from './open-parts.js';
