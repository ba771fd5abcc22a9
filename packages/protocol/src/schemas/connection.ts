import { Type, type Static } from '@sinclair/typebox';
import { Page } from './page.js';
import { DateTime, HttpUrl, Name, Nullable, OneOf, Uuid } from './text.js';
import { warnings } from './warning.js';

export const connectionKinds = [
  'openai',
  'azure-openai',
  'openai-compatible',
  'simulator',
] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

const fields = {
  name: Name(200),
  kind: OneOf(connectionKinds),
  baseUrl: Type.Optional(
    Nullable(
      HttpUrl({
        description:
          'Base URL as an OpenAI SDK expects it (https://host/v1); for azure-openai, the resource’s origin.',
        default: null,
      }),
    ),
  ),
  models: Type.Optional(
    Type.Array(Name(200), {
      maxItems: 100,
      uniqueItems: true,
      default: [],
      description: 'Models that the connection offers; empty means any.',
    }),
  ),
  realtime: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether the connection supports realtime sessions.',
    }),
  ),
  enabled: Type.Optional(
    Type.Boolean({ default: true, description: 'If false, no agent can use the connection.' }),
  ),
};

const secret = Type.Optional(
  // The secret is sent in a header, which only allows visible ASCII.
  Nullable(Type.String({ minLength: 1, maxLength: 8192, pattern: '^[\\x21-\\x7E]+$' }), {
    writeOnly: true,
    description:
      'The provider’s API key, in visible ASCII: encrypted at rest, never returned. null removes it.',
  }),
);

export const ConnectionInput = Type.Object({ ...fields, secret }, { additionalProperties: false });
export type ConnectionInput = Static<typeof ConnectionInput>;

export const ConnectionPatch = Type.Partial(Type.Omit(ConnectionInput, ['kind']), {
  additionalProperties: false,
  minProperties: 1,
});
export type ConnectionPatch = Static<typeof ConnectionPatch>;

export const Connection = Type.Object(
  {
    id: Uuid(),
    ...Type.Required(Type.Object(fields)).properties,
    hasSecret: Type.Boolean({ description: 'Whether a secret is set.' }),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  },
  { additionalProperties: false },
);
export type Connection = Static<typeof Connection>;

/** The response to a change. */
export const ChangedConnection = Type.Object(
  { ...Connection.properties, warnings },
  { additionalProperties: false },
);
export type ChangedConnection = Static<typeof ChangedConnection>;

export const ConnectionTest = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the provider accepted the connection.' }),
    detail: Type.String({
      description: 'The result, in the provider’s own words if available.',
    }),
    durationMs: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type ConnectionTest = Static<typeof ConnectionTest>;

export const ConnectionPage = Page(Connection);
