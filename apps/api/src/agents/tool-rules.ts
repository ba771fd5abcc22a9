import {
  checkParameterSchema,
  errorLimits,
  isHttpUrl,
  parseTemplate,
  reservedHeaders,
  type FieldError,
  type TemplatePart,
  type Tool,
} from '@parley/protocol';

/**
 * Rules for an agent's tools that a schema cannot express. Pure: what exists elsewhere (secrets,
 * other agents) is passed in.
 */
export type ToolContext = {
  secretNames: ReadonlySet<string>;
  /**
   * Agents that may be called as sub-agents: existing ones of the same organization, except the
   * agent itself.
   */
  callableAgents: ReadonlySet<string>;
};

export function checkTools(tools: readonly Tool[], context: ToolContext): FieldError[] {
  const seen = new Set<string>();
  return tools.flatMap((tool, index) => {
    const path = `/tools/${index}`;
    const errors = seen.has(tool.name)
      ? [{ path: `${path}/name`, message: 'is the name of another tool of this agent' }]
      : [];
    seen.add(tool.name);
    return [...errors, ...checkTool(tool, { ...context, path })].slice(0, errorLimits.count);
  });
}

export function subagentIds(tools: readonly Tool[]): string[] {
  return tools.flatMap((tool) => (tool.kind === 'subagent' ? [tool.agentId.toLowerCase()] : []));
}

type At = ToolContext & { path: string };

function checkTool(tool: Tool, at: At): FieldError[] {
  switch (tool.kind) {
    case 'http':
      return checkHttp(tool, at);
    case 'mcp':
      return checkHeaders(tool.headers, { ...at, argumentNames: new Set() });
    case 'subagent':
      return at.callableAgents.has(tool.agentId.toLowerCase())
        ? []
        : [{ path: `${at.path}/agentId`, message: 'must be another agent of this organization' }];
    case 'builtin':
      return [];
  }
}

type HttpTool = Extract<Tool, { kind: 'http' }>;

function checkHttp(tool: HttpTool, at: At): FieldError[] {
  const problem = tool.parameters && checkParameterSchema(tool.parameters);
  if (problem) return [{ path: `${at.path}/parameters${problem.path}`, message: problem.message }];
  const argumentNames = new Set(
    Object.keys((tool.parameters?.['properties'] as object | undefined) ?? {}),
  );
  const template = (text: string, field: string) =>
    checkTemplate(text, { ...at, path: `${at.path}/${field}`, argumentNames });
  return [
    ...checkUrl(tool.url, { ...at, argumentNames }),
    ...checkHeaders(tool.headers, { ...at, argumentNames }),
    ...(tool.body === undefined ? [] : template(tool.body, 'body')),
    ...(tool.body !== undefined && (tool.method === 'GET' || tool.method === 'DELETE')
      ? [{ path: `${at.path}/body`, message: `cannot be sent with ${tool.method}` }]
      : []),
    ...(tool.secretRefs ?? []).flatMap((name, index) =>
      at.secretNames.has(name)
        ? []
        : [
            {
              path: `${at.path}/secretRefs/${index}`,
              message: 'names a secret that the agent does not have',
            },
          ],
    ),
  ];
}

const fixedHost = /^https?:\/\/[^/?#{}\\@\s]+(?:[/?#]|$)/;

type Templates = At & { argumentNames: ReadonlySet<string> };

/**
 * Arguments only fill the path and the query: the administrator decides where a request goes, never
 * the model.
 */
function checkUrl(url: string, at: Templates): FieldError[] {
  const path = `${at.path}/url`;
  const template = parseTemplate(url);
  if (!template.ok) return [{ path, message: template.message }];
  const example = template.parts.map((part) => (part.kind === 'text' ? part.text : 'x')).join('');
  if (!fixedHost.test(url) || !isHttpUrl(example))
    return [
      { path, message: 'must be an http or https URL whose host is fixed and without credentials' },
    ];
  if (template.parts.some(({ kind }) => kind === 'secret'))
    return [{ path, message: 'must not contain a secret: put it in a header or the body' }];
  return checkReferences(template.parts, { ...at, path });
}

function checkHeaders(headers: Record<string, string> = {}, at: Templates): FieldError[] {
  const seen = new Set<string>();
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `${at.path}/headers/${name}`;
    const lowerCase = name.toLowerCase();
    if (reservedHeaders.has(lowerCase)) return [{ path, message: 'cannot be set by a tool' }];
    if (seen.has(lowerCase)) return [{ path, message: 'is named twice' }];
    seen.add(lowerCase);
    return checkTemplate(value, { ...at, path });
  });
}

function checkTemplate(text: string, at: Templates): FieldError[] {
  const template = parseTemplate(text);
  if (!template.ok) return [{ path: at.path, message: template.message }];
  return checkReferences(template.parts, at);
}

/** A name that is wrong in a hundred places is reported once. */
function checkReferences(parts: readonly TemplatePart[], at: Templates): FieldError[] {
  const used = new Map(
    parts.map((part) => [part.kind === 'text' ? '' : `${part.kind}:${part.name}`, part]),
  );
  return [...used.values()].flatMap((part) => checkReference(part, at));
}

function checkReference(part: TemplatePart, at: Templates): FieldError[] {
  if (part.kind === 'argument' && !at.argumentNames.has(part.name))
    return [
      { path: at.path, message: `uses {{${part.name}}}, which is not among the tool’s parameters` },
    ];
  if (part.kind === 'secret' && !at.secretNames.has(part.name))
    return [
      { path: at.path, message: `uses {{secret:${part.name}}}, which the agent does not have` },
    ];
  return [];
}
