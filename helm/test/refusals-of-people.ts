import type { Values } from './chart.js';

/** Values that are laid over good ones → what helm must say. */
export type Refusal = [title: string, values: Values, complaint: RegExp];

const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';

/** Of the first organization, its owner, and how people sign in. */
export const refusalsOfPeople: readonly Refusal[] = [
  [
    'a bootstrap key without an organization',
    { bootstrap: { apiKey: 'a-key-of-16-chars' } },
    /bootstrap: a key needs bootstrap\.organizationId/,
  ],
  ['a bootstrap key that is short', { bootstrap: { apiKey: 'short' } }, /\/bootstrap\/apiKey/],
  [
    'an organization that is no UUID',
    { bootstrap: { organizationId: 'acme' } },
    /\/bootstrap\/organizationId.*does not match pattern/s,
  ],
  [
    'an owner without an organization',
    { bootstrap: { adminEmail: 'ada@example.com' } },
    /bootstrap\.adminEmail needs bootstrap\.organizationId/,
  ],
  [
    'an owner whose address is none',
    { bootstrap: { organizationId, adminEmail: 'ada' } },
    /\/bootstrap\/adminEmail.*does not match pattern/s,
  ],
  [
    'a password without an owner',
    { bootstrap: { organizationId, adminPassword: 'long enough, this' } },
    /bootstrap: a password needs bootstrap\.adminEmail/,
  ],
  [
    'a password that is short',
    { bootstrap: { organizationId, adminEmail: 'ada@example.com', adminPassword: 'short' } },
    /\/bootstrap\/adminPassword/,
  ],
  [
    'a password from two places',
    {
      bootstrap: {
        ...{ organizationId, existingSecret: 'parley', adminEmail: 'ada@example.com' },
        ...{ adminPassword: 'long enough, this', adminPasswordKey: 'password' },
      },
    },
    /bootstrap: give adminPassword or adminPasswordKey, not both/,
  ],
  [
    'the name of a password without a Secret',
    { bootstrap: { organizationId, adminEmail: 'ada@example.com', adminPasswordKey: 'password' } },
    /bootstrap\.adminPasswordKey needs bootstrap\.existingSecret/,
  ],
  [
    'a password among the settings',
    { settings: { BOOTSTRAP_ADMIN_PASSWORD: 'long enough, this' } },
    /additional properties 'BOOTSTRAP_ADMIN_PASSWORD' not allowed/,
  ],
  [
    'OpenID Connect without a public URL',
    { settings: { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'parley' } },
    /settings\.OIDC_ISSUER needs settings\.PUBLIC_URL/,
  ],
  [
    'OpenID Connect without a client',
    {
      settings: {
        PUBLIC_URL: 'https://parley.example.com',
        OIDC_ISSUER: 'https://login.example.com',
      },
    },
    /settings\.OIDC_ISSUER needs settings\.OIDC_CLIENT_ID/,
  ],
  [
    'a client of OpenID Connect without a provider',
    { settings: { OIDC_CLIENT_ID: 'parley' } },
    /settings\.OIDC_CLIENT_ID needs settings\.OIDC_ISSUER/,
  ],
  [
    'domains that nobody asks for',
    { settings: { OIDC_ALLOWED_DOMAINS: ['example.com'] } },
    /settings\.OIDC_ALLOWED_DOMAINS needs settings\.OIDC_ISSUER/,
  ],
  [
    'a secret of OpenID Connect without a client',
    { oidc: { existingSecret: 'oidc' } },
    /oidc: a secret needs settings\.OIDC_CLIENT_ID/,
  ],
  [
    'a secret of OpenID Connect from two places',
    { oidc: { existingSecret: 'oidc', clientSecret: 'hush' } },
    /oidc: give the value or existingSecret, not both/,
  ],
  [
    'a secret of OpenID Connect among the settings',
    { settings: { OIDC_CLIENT_SECRET: 'hush' } },
    /additional properties 'OIDC_CLIENT_SECRET' not allowed/,
  ],
];
