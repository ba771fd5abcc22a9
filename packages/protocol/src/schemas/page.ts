import { Type, type TSchema } from '@sinclair/typebox';

export const pageLimits = { defaultLimit: 50, maxLimit: 200, maxOffset: 1_000_000_000 } as const;

export const PageQuery = Type.Object(
  {
    Offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: pageLimits.maxOffset,
        default: 0,
        description: 'Number of items to skip.',
      }),
    ),
    Limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pageLimits.maxLimit,
        default: pageLimits.defaultLimit,
        description: 'Maximum number of items to return.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function Page<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer({ minimum: 0, description: 'Total number of items.' }),
      offset: Type.Integer({ minimum: 0 }),
      limit: Type.Integer({ minimum: 1 }),
    },
    { additionalProperties: false },
  );
}
