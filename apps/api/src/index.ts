export { apiVersion } from './api.js';
export { open, type ApiParts, type OpenApi } from './open.js';
