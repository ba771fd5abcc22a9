import { Type, type Static } from '@sinclair/typebox';
import { OutputModalities, TurnDetection } from './turn-detection.js';
import { Page, PageQuery } from './page.js';
import { Tool, toolLimits } from './tool.js';
import { DateTime, HttpUrl, Name, Nullable, Uuid } from './text.js';
import { warnings } from './warning.js';

export const SecretName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$' });

const fields = {
  name: Name(200),
  description: Type.Optional(Type.String({ maxLength: 2000, default: '' })),
  systemMessage: Type.Optional(
    Type.String({
      maxLength: 100_000,
      default: '',
      description: 'Instructions that the agent follows in every conversation.',
    }),
  ),
  connectionId: Type.Optional(
    Nullable(
      Uuid({
        description: 'Provider connection; null uses the deployment’s default.',
        default: null,
      }),
    ),
  ),
  fallbackConnectionIds: Type.Optional(
    Type.Array(Uuid(), {
      maxItems: 5,
      uniqueItems: true,
      default: [],
      description:
        'Provider connections that realtime sessions use when the agent’s own cannot be reached or fails, in the order in which they are tried. Disabled connections, those without realtime, and those that do not offer the model are skipped.',
    }),
  ),
  model: Type.Optional(
    Nullable(
      Name(200, {
        description:
          'Realtime model; null or omitted follows the deployment’s REALTIME_MODEL. An agent shows the model that it uses: sending that back does not stop it from following.',
        default: null,
      }),
    ),
  ),
  textModel: Type.Optional(
    Nullable(
      Name(200, {
        description: 'Model for text answers; null or omitted follows PROVIDER_TEXT_MODEL.',
        default: null,
      }),
    ),
  ),
  voice: Type.Optional(Name(64, { default: 'alloy' })),
  turnDetection: Type.Optional(
    Type.Unsafe<TurnDetection>({
      ...TurnDetection,
      default: { type: 'semantic_vad' },
      description:
        'How a realtime session detects the end of the user’s speech, unless specified when the session is created.',
    }),
  ),
  outputModalities: Type.Optional(
    Type.Unsafe<OutputModalities>({
      ...OutputModalities,
      default: ['audio'],
      description:
        'How the agent answers in a realtime session, unless specified when the session is created: `audio` with a transcript, or only `text`.',
    }),
  ),
  icon: Type.Optional(Nullable(Type.String({ maxLength: 100, default: null }))),
  iconColor: Type.Optional(Nullable(Type.String({ maxLength: 50, default: null }))),
  imageUrl: Type.Optional(Nullable(HttpUrl({ default: null }))),
  realtimeEnabled: Type.Optional(Type.Boolean({ default: true })),
  tools: Type.Optional(Type.Array(Tool, { maxItems: toolLimits.perAgent, default: [] })),
};

/** How many secrets an agent stores. */
export const maxSecrets = 32;

const secrets = Type.Optional(
  Type.Record(SecretName, Nullable(Type.String({ minLength: 1, maxLength: 8192 })), {
    maxProperties: maxSecrets,
    additionalProperties: false,
    writeOnly: true,
    description:
      'Values for {{secret:NAME}}, encrypted at rest and never returned; an agent stores up to 32. null removes one; secrets that are not named are kept, unless a change of a tool would send them to another origin.',
  }),
);

export const AgentInput = Type.Object({ ...fields, secrets }, { additionalProperties: false });
export type AgentInput = Static<typeof AgentInput>;

export const AgentPatch = Type.Partial(AgentInput, {
  additionalProperties: false,
  minProperties: 1,
});
export type AgentPatch = Static<typeof AgentPatch>;

export const Agent = Type.Object(
  {
    id: Uuid(),
    ...Type.Required(Type.Object(fields)).properties,
    model: Name(200),
    secretNames: Type.Array(Type.String(), { description: 'Names of the stored secrets.' }),
    version: Type.Integer({ minimum: 1, description: 'Counts the changes; part of the ETag.' }),
    createdAt: DateTime(),
    updatedAt: DateTime(),
  },
  { additionalProperties: false },
);
export type Agent = Static<typeof Agent>;

/** The response to a change. */
export const ChangedAgent = Type.Object(
  { ...Agent.properties, warnings },
  { additionalProperties: false },
);
export type ChangedAgent = Static<typeof ChangedAgent>;

export const AgentPage = Page(Agent);

export const AgentQuery = Type.Object(
  {
    Search: Type.Optional(
      Name(200, { description: 'Only agents whose name or description contains this.' }),
    ),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
);
