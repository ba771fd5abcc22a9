import { Type, type Static } from '@sinclair/typebox';
import { validatorOf } from '../validation.js';
import { OneOf } from './text.js';

const closed = { additionalProperties: false } as const;
const milliseconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000, description }));

const reactions = {
  createResponse: Type.Optional(
    Type.Boolean({ description: 'Whether the agent answers automatically; true when omitted.' }),
  ),
  interruptResponse: Type.Optional(
    Type.Boolean({
      description: 'Whether the user’s voice interrupts the agent; true when omitted.',
    }),
  ),
};

export const SemanticVad = Type.Object(
  {
    type: Type.Literal('semantic_vad'),
    eagerness: Type.Optional(
      OneOf(['low', 'medium', 'high', 'auto'], {
        description: 'How quickly the user is considered to have finished.',
      }),
    ),
    ...reactions,
  },
  { ...closed, title: 'By meaning' },
);

export const ServerVad = Type.Object(
  {
    type: Type.Literal('server_vad'),
    threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    prefixPaddingMs: milliseconds('How much sound before the voice belongs to it.'),
    silenceDurationMs: milliseconds('How long a pause ends what the user says.'),
    idleTimeoutMs: Type.Optional(
      Type.Integer({
        minimum: 5000,
        maximum: 30_000,
        description: 'Silence after which the agent speaks up.',
      }),
    ),
    ...reactions,
  },
  { ...closed, title: 'By loudness' },
);

export const NoTurnDetection = Type.Object(
  { type: Type.Literal('none') },
  { ...closed, title: 'None: the client commits the sound and asks for the answer' },
);

type AnyDetection =
  | Static<typeof SemanticVad>
  | Static<typeof ServerVad>
  | Static<typeof NoTurnDetection>;

/** How the end of the user's speech is detected. */
export const TurnDetection = Type.Unsafe<AnyDetection>({
  type: 'object',
  required: ['type'],
  discriminator: { propertyName: 'type' },
  oneOf: [SemanticVad, ServerVad, NoTurnDetection],
});
export type TurnDetection = AnyDetection;

/** Audio with a transcript, or text only. */
export const OutputModalities = Type.Unsafe<['audio'] | ['text']>({
  type: 'array',
  items: { type: 'string', enum: ['audio', 'text'] },
  minItems: 1,
  maxItems: 1,
});
export type OutputModalities = Static<typeof OutputModalities>;

/** The provider's format; null means none. */
type ProviderTurnDetection = Readonly<Record<string, unknown>> | null;

export function toProviderDetection(detection: TurnDetection): ProviderTurnDetection {
  if (detection.type === 'none') return null;
  return renamed(detection, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

const check = validatorOf(TurnDetection);

/** Undefined if the provider would not accept it. Fields that are null count as absent. */
export function fromProviderDetection(value: unknown): TurnDetection | undefined {
  if (value === null) return { type: 'none' };
  if (typeof value !== 'object') return undefined;
  const checked = check(
    renamed(value, (name) =>
      name.replaceAll(/_[a-z]/g, (letters) => letters.slice(1).toUpperCase()),
    ),
  );
  return checked.ok ? checked.value : undefined;
}

function renamed(value: object, rename: (name: string) => string): Record<string, unknown> {
  const present = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(present.map(([name, field]) => [rename(name), field as unknown]));
}
