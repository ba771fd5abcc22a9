import { Type, type Static } from '@sinclair/typebox';
import { Nullable } from './text.js';

const ServerTool = Type.Object(
  {
    name: Type.String({ description: 'As the server calls it: what `allowedTools` names.' }),
    calledAs: Type.String({ description: 'As the model calls it.' }),
    title: Nullable(Type.String()),
    description: Type.String({ description: 'What the model reads; cut off where it is long.' }),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The JSON Schema of its arguments.',
    }),
    allowed: Type.Boolean({ description: 'Whether the agent may use it.' }),
    approvalRequired: Type.Boolean(),
  },
  { additionalProperties: false },
);

export const ServerTools = Type.Object(
  {
    tools: Type.Array(ServerTool, {
      description: 'Every tool that the server lists, up to 256, in its order.',
    }),
    problems: Type.Array(Type.String(), {
      description:
        'Why tools are missing: the server did not answer, lists too many, or describes one that cannot be called.',
    }),
  },
  { additionalProperties: false },
);
export type ServerTools = Static<typeof ServerTools>;
