/** Events and items that the service itself sends to the provider carry ids that start so. */
export const injectedPrefix = 'gw_';
