declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** Only the parts that a test needs. */
  // eslint-disable-next-line no-restricted-syntax -- The package exports it so.
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
