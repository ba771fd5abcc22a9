import { Type, type Static } from '@sinclair/typebox';
import { Approvers } from './approval.js';
import { HttpUrl, Name, OneOf, Uuid } from './text.js';

export const toolLimits = { perAgent: 64, headers: 50, timeoutSeconds: 600 } as const;

/** The function names that the provider accepts. */
export const toolNamePattern = '^[A-Za-z0-9_-]{1,64}$';

export const builtinTools = {
  create_task: 'Create a task for a person to do.',
  update_task: 'Change a task: its title, description, status or due date.',
  current_time: 'Tell the current date and time, optionally in a given time zone.',
  search_conversation: 'Search what was said earlier in this conversation.',
} as const satisfies Record<string, string>;

export type BuiltinTool = keyof typeof builtinTools;

const HttpParameters = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JSON schema of the arguments: an object schema, limited in size and depth. Arguments that are not named in `properties`, at any depth, are not sent; set `additionalProperties` to `true` or to a schema to allow more. A query parameter that `url` fixes cannot be changed.',
});

const common = {
  approvalRequired: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'A person must approve each call before it runs.',
    }),
  ),
  approvers: Type.Optional(
    Approvers(
      'Who may decide a call that needs approval: `client` on the session’s own socket, `api` over REST; both when omitted. With only `client`, a question cannot use the tool, because it has no socket.',
    ),
  ),
  timeoutSeconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: toolLimits.timeoutSeconds, default: 30 }),
  ),
  title: Type.Optional(
    Type.String({ maxLength: 200, description: 'What a client shows while the tool runs.' }),
  ),
  imageUrl: Type.Optional(HttpUrl()),
  button: Type.Optional(
    Type.Object(
      { label: Name(100), link: HttpUrl() },
      { additionalProperties: false, description: 'A button that a client shows with the result.' },
    ),
  ),
};

const ToolName = Type.String({
  pattern: toolNamePattern,
  description: 'Unique among the agent’s tools.',
});
const closed = { additionalProperties: false } as const;

const Headers = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" }),
  Type.String({ maxLength: 4096, pattern: '^[^\\r\\n\\u0000]*$' }),
  { maxProperties: toolLimits.headers, additionalProperties: false },
);

/**
 * Headers that belong to the connection: a tool that set them could smuggle a second request, or
 * break the first.
 */
export const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const HttpTool = Type.Object(
  {
    kind: Type.Literal('http'),
    name: ToolName,
    description: Name(1024),
    parameters: Type.Optional(HttpParameters),
    method: OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: Name(2048, {
      description: 'URL template: {{name}} inserts an argument, except in the host.',
    }),
    headers: Type.Optional(Headers),
    body: Type.Optional(
      Type.String({
        maxLength: 65_536,
        description: 'Body template: {{name}} and {{secret:NAME}}.',
      }),
    ),
    secretRefs: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$' }), {
        maxItems: 32,
        uniqueItems: true,
        description: 'Names of the agent’s secrets that the templates use.',
      }),
    ),
    ...common,
  },
  { ...closed, title: 'HTTP tool' },
);

const ApprovalPolicy = OneOf(['always', 'never']);

export const McpTool = Type.Object(
  {
    kind: Type.Literal('mcp'),
    name: ToolName,
    description: Type.Optional(Type.String({ maxLength: 1024 })),
    serverUrl: HttpUrl({ description: 'Streamable HTTP endpoint of the MCP server.' }),
    headers: Type.Optional(Headers),
    allowedTools: Type.Optional(
      Type.Array(Name(128), {
        maxItems: 128,
        uniqueItems: true,
        description: 'Only these tools of the server are offered; all when omitted.',
      }),
    ),
    approvalPolicy: Type.Optional(
      Type.Object(
        {
          default: Type.Optional(ApprovalPolicy),
          tools: Type.Optional(Type.Record(Name(128), ApprovalPolicy, { maxProperties: 128 })),
        },
        {
          ...closed,
          description: 'Which of the server’s tools need approval; overrides approvalRequired.',
        },
      ),
    ),
    ...common,
  },
  { ...closed, title: 'MCP server' },
);

export const SubagentTool = Type.Object(
  {
    kind: Type.Literal('subagent'),
    name: ToolName,
    description: Type.Optional(Type.String({ maxLength: 1024 })),
    agentId: Uuid({ description: 'Another agent of the same organization.' }),
    ...common,
  },
  { ...closed, title: 'Sub-agent' },
);

export const BuiltinToolDefinition = Type.Object(
  {
    kind: Type.Literal('builtin'),
    name: OneOf(Object.keys(builtinTools) as BuiltinTool[]),
    description: Type.Optional(Type.String({ maxLength: 1024 })),
    ...common,
  },
  { ...closed, title: 'Built-in tool' },
);

type AnyTool =
  | Static<typeof HttpTool>
  | Static<typeof McpTool>
  | Static<typeof SubagentTool>
  | Static<typeof BuiltinToolDefinition>;

/** The kind selects the schema, so that errors are reported against the intended kind. */
export const Tool = Type.Unsafe<AnyTool>({
  type: 'object',
  required: ['kind'],
  discriminator: { propertyName: 'kind' },
  oneOf: [HttpTool, McpTool, SubagentTool, BuiltinToolDefinition],
});
export type Tool = AnyTool;
