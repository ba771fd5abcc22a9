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
      description: 'What the key may do. A key cannot grant a scope that it lacks.',
    }),
  ),
  expiresAt: Type.Optional(
    Nullable(DateTime(), { default: null, description: 'null if it does not expire.' }),
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
  masked: Type.String({ description: 'The beginning and the end of the key.' }),
  scopes: Type.Array(OneOf(allScopes)),
  createdAt: DateTime(),
  expiresAt: Nullable(DateTime()),
  lastUsedAt: Nullable(DateTime(), { description: 'Accurate to the minute.' }),
  revokedAt: Nullable(DateTime()),
};

export const ApiKey = Type.Object(shown, { additionalProperties: false });
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyPage = Page(ApiKey);

export const NewApiKey = Type.Object(
  {
    ...shown,
    apiKey: Type.String({ description: 'The key itself, shown only once.' }),
  },
  { additionalProperties: false },
);
export type NewApiKey = Static<typeof NewApiKey>;
