export { openParts, type Parts } from './open-parts.js';
