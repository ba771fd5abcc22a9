import { Type } from '@sinclair/typebox';
import { Name, OneOf } from '../schemas/text.js';
import { OutputModalities } from '../schemas/turn-detection.js';
import { validatorOf } from '../validation.js';

const closed = { additionalProperties: false } as const;
const text = Type.String({ maxLength: 4096 });
const words = Type.Array(Name(200), { minItems: 1, maxItems: 100 });

/** The values that the provider accepts for the fields of a session. */
export const sessionValues = {
  voice: validatorOf(Type.Union([Name(64), Type.Object({ id: Name(200) }, closed)])),
  speed: validatorOf(Type.Number({ minimum: 0.25, maximum: 1.5 })),
  outputModalities: validatorOf(OutputModalities),
  noiseReduction: validatorOf(Type.Object({ type: OneOf(['near_field', 'far_field']) }, closed)),
  transcription: validatorOf(
    Type.Object(
      {
        model: Type.Optional(Name(200)),
        language: Type.Optional(Name(64)),
        languages: Type.Optional(words),
        keywords: Type.Optional(words),
        prompt: Type.Optional(text),
        delay: Type.Optional(OneOf(['minimal', 'low', 'medium', 'high', 'xhigh'])),
      },
      closed,
    ),
  ),
  tracing: validatorOf(
    Type.Union([
      Type.Literal('auto'),
      Type.Object(
        {
          workflow_name: Type.Optional(text),
          group_id: Type.Optional(text),
          metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        },
        closed,
      ),
    ]),
  ),
  maxOutputTokens: validatorOf(
    Type.Union([Type.Integer({ minimum: 1, maximum: 4096 }), Type.Literal('inf')]),
  ),
};
