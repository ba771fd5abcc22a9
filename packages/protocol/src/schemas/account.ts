import { Type, type Static } from '@sinclair/typebox';
import { roleNames } from '../roles.js';
import { OneOf, Uuid } from './text.js';

/** Something before and after an @: whether mail reaches it does not matter here. */
export const Email = (options: object = {}) =>
  Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$', ...options });

export const SignInInput = Type.Object(
  {
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The part after `#sign-in=` in a sign-in link. Do not combine it with other fields.',
      }),
    ),
    email: Type.Optional(
      Email({ description: 'Email address of the account; requires its password.' }),
    ),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { additionalProperties: false },
);
export type SignInInput = Static<typeof SignInInput>;

export const SignInWays = Type.Object(
  {
    password: Type.Boolean(),
    oidc: Type.Boolean({ description: 'Whether an OpenID Connect provider is configured.' }),
  },
  { additionalProperties: false },
);

export const Me = Type.Object(
  {
    user: Type.Object(
      { id: Uuid(), email: Type.String(), name: Type.String() },
      { additionalProperties: false },
    ),
    organizations: Type.Array(
      Type.Object(
        { id: Uuid(), name: Type.String(), role: OneOf(roleNames) },
        { additionalProperties: false },
      ),
      {
        description:
          'The organizations that this session can access. A session that started with a link can only access the organization of the link.',
      },
    ),
    csrfToken: Type.String({
      description: 'Send it as X-Parley-Csrf with every request that changes something.',
    }),
  },
  { additionalProperties: false },
);
export type Me = Static<typeof Me>;
