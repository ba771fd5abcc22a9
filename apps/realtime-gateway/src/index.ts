export { clientEvents, clientRoutes } from './core/client-routes.js';
export { providerEvents, providerRoutes } from './core/provider-routes.js';
