import { createServer } from 'node:http';
import { freePort } from '@parley/embedded';

export type IdentityProvider = {
  /** The settings that a deployment needs to send people there, with the given PUBLIC_URL. */
  readonly settings: {
    readonly PUBLIC_URL: string;
    readonly OIDC_ISSUER: string;
    readonly OIDC_CLIENT_ID: string;
    readonly OIDC_CLIENT_SECRET: string;
  };
  stop(): Promise<void>;
};

/**
 * A real OpenID Connect provider with its own pages. It believes whoever signs in: the login is the
 * e-mail address, which is verified unless it begins with 'unverified'.
 */
export async function startIdentityProvider(publicUrl: string): Promise<IdentityProvider> {
  const { default: Provider } = await import('oidc-provider');
  const port = await freePort();
  const settings = {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: `http://127.0.0.1:${port}`,
    OIDC_CLIENT_ID: 'parley',
    OIDC_CLIENT_SECRET: 'a secret of the deployment',
  };
  const provider = new Provider(settings.OIDC_ISSUER, {
    clients: [
      {
        client_id: settings.OIDC_CLIENT_ID,
        client_secret: settings.OIDC_CLIENT_SECRET,
        redirect_uris: [`${publicUrl}/console/oidc/callback`],
      },
    ],
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: ['for tests'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: !id.startsWith('unverified') }),
    }),
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    settings,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
