declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** The little of it that a test needs. */
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
  }
}
