import { Type, type TSchema } from '@sinclair/typebox';

export const pageLimits = { defaultLimit: 50, maxLimit: 200, maxOffset: 1_000_000_000 } as const;

export const PageQuery = Type.Object(
  {
    Offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: pageLimits.maxOffset,
        default: 0,
        description: 'How many items to skip.',
      }),
    ),
    Limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pageLimits.maxLimit,
        default: pageLimits.defaultLimit,
        description: 'How many items to return at most.',
      }),
    ),
  },
  { additionalProperties: false },
);

export function Page<Item extends TSchema>(item: Item) {
  return Type.Object(
    {
      items: Type.Array(item),
      total: Type.Integer({ minimum: 0, description: 'How many items there are in all.' }),
      offset: Type.Integer({ minimum: 0 }),
      limit: Type.Integer({ minimum: 1 }),
    },
    { additionalProperties: false },
  );
}
