import { Type, type Static } from '@sinclair/typebox';
import { allScopes, defaultScopes } from '../scopes.js';
import { Page } from './page.js';
import { DateTime, Name, Nullable, OneOf, Uuid } from './text.js';

const fields = {
  name: Name(200, { description: 'What the key is for.' }),
  scopes: Type.Optional(
    Type.Array(OneOf(allScopes), {
      minItems: 1,
      uniqueItems: true,
      default: defaultScopes,
      description: 'What the key may do. A key gives no scope that it lacks.',
    }),
  ),
  expiresAt: Type.Optional(
    Nullable(DateTime(), { default: null, description: 'null: it does not expire.' }),
  ),
};

export const ApiKeyInput = Type.Object(fields, { additionalProperties: false });
export type ApiKeyInput = Static<typeof ApiKeyInput>;

export const ApiKeyPatch = Type.Partial(ApiKeyInput, {
  additionalProperties: false,
  minProperties: 1,
});
export type ApiKeyPatch = Static<typeof ApiKeyPatch>;

const shown = {
  id: Uuid(),
  name: Type.String(),
  masked: Type.String({ description: 'How the key begins and ends.' }),
  scopes: Type.Array(OneOf(allScopes)),
  createdAt: DateTime(),
  expiresAt: Nullable(DateTime()),
  lastUsedAt: Nullable(DateTime(), { description: 'To the minute.' }),
  revokedAt: Nullable(DateTime()),
};

export const ApiKey = Type.Object(shown, { additionalProperties: false });
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyPage = Page(ApiKey);

export const NewApiKey = Type.Object(
  {
    ...shown,
    apiKey: Type.String({ description: 'The key itself, shown here and never again.' }),
  },
  { additionalProperties: false },
);
export type NewApiKey = Static<typeof NewApiKey>;
