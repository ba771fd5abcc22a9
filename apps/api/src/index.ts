export { closeServer } from './close-server.js';
export { apiVersion, createApi, type ApiOptions } from './api.js';
