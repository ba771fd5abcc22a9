import { SecretUnreadable, type SecretBox } from '@parley/database';
import * as client from 'openid-client';

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  /** If empty, addresses of any domain are allowed. */
  readonly allowedDomains: readonly string[];
  /** The public address of this deployment. */
  readonly publicUrl: string;
};

export const callbackPath = '/console/oidc/callback';

/**
 * Kept by the browser while its user is at the provider. It is sealed, so nobody can read or forge
 * it.
 */
type Pending = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
  readonly until: number;
};

const context = 'console:oidc';
export const pendingMs = 600_000;

/**
 * Why sign-in failed, for the console: the response does not complete a sign-in of this browser,
 * the provider does not vouch for the address, its domain is not allowed, or no account here has
 * the address.
 */
export type OidcRefusal = 'unfinished' | 'unverified' | 'domain' | 'stranger';

export class OidcRefused extends Error {
  override name = 'OidcRefused';
  readonly refusal: OidcRefusal;

  constructor(refusal: OidcRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.refusal = refusal;
  }
}

/** Signs in with an OpenID Connect provider: authorization code with PKCE, state and nonce. */
export class Oidc {
  readonly #settings: OidcSettings;
  readonly #secretBox: SecretBox;
  #configuration: Promise<client.Configuration> | undefined;

  constructor(settings: OidcSettings, secretBox: SecretBox) {
    this.#settings = settings;
    this.#secretBox = secretBox;
  }

  /** Where to redirect the user, and what the browser keeps until they come back. */
  async start(returnTo: string | undefined): Promise<{ url: URL; pending: string }> {
    const configuration = await this.#discover();
    const pending: Pending = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      codeVerifier: client.randomPKCECodeVerifier(),
      returnTo: safeReturn(returnTo, this.#settings.publicUrl),
      until: Date.now() + pendingMs,
    };
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#settings.publicUrl + callbackPath,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
      state: pending.state,
      nonce: pending.nonce,
    });
    const sealed = this.#secretBox.seal(JSON.stringify(pending), context);
    return { url, pending: sealed.toString('base64url') };
  }

  /** The address that the provider vouches for. `query` is that of the callback. */
  async finish(
    query: string,
    sealed: string | undefined,
  ): Promise<{ email: string; returnTo: string }> {
    const { state, nonce, codeVerifier, returnTo } = this.#open(sealed);
    const configuration = await this.#discover();
    const url = new URL(`${this.#settings.publicUrl}${callbackPath}${query}`);
    const tokens = await client
      .authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      .catch((cause: unknown) => {
        throw new OidcRefused('unfinished', 'The provider’s answer cannot be used.', { cause });
      });
    const claims = tokens.claims();
    const told =
      claims?.['email'] === undefined && claims
        ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    return { email: this.#vouchedFor(told ?? {}), returnTo };
  }

  #open(sealed: string | undefined): Pending {
    try {
      const text = this.#secretBox.open(Buffer.from(sealed ?? '', 'base64url'), context);
      const pending = JSON.parse(text) as Pending;
      if (pending.until > Date.now()) return pending;
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
    throw new OidcRefused('unfinished', 'No sign-in is in progress in this browser.');
  }

  #vouchedFor({ email, email_verified: verified }: Record<string, unknown>): string {
    if (typeof email !== 'string' || verified !== true)
      throw new OidcRefused('unverified', 'The provider vouches for no address.');
    const { allowedDomains } = this.#settings;
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (allowedDomains.length > 0 && !allowedDomains.some((one) => one.toLowerCase() === domain))
      throw new OidcRefused(
        'domain',
        'The address is of another domain than OIDC_ALLOWED_DOMAINS names.',
      );
    return email;
  }

  /** Once, unless it fails: an unavailable provider does not prevent the start. */
  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const server = new URL(issuer);
    // An issuer without TLS is one that the operator configured, in the same network or on the same
    // machine.
    // oxlint-disable-next-line typescript/no-deprecated -- marked to prevent accidental use
    const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    this.#configuration ??= client.discovery(
      server,
      clientId,
      clientSecret,
      clientSecret === undefined ? client.None() : undefined,
      { execute, timeout: 10 },
    );
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = undefined;
      throw error;
    }
  }
}

/** A path in the console, never an address elsewhere, however it is written. */
export function safeReturn(returnTo: string | undefined, publicUrl: string): string {
  const { origin } = new URL(publicUrl);
  if (returnTo === undefined || !URL.canParse(returnTo, origin)) return '/console/';
  const url = new URL(returnTo, origin);
  const inside = url.pathname === '/console' || url.pathname.startsWith('/console/');
  const isBack = url.pathname.startsWith('/console/oidc/');
  if (url.origin !== origin || !inside || isBack) return '/console/';
  return url.pathname + url.search + url.hash;
}
