declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** Only the parts that a test needs. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
