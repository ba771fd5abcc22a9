export { apiVersion, createApi, type ApiOptions } from './api.js';
