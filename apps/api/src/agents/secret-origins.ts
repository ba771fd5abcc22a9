import { parseTemplate, type Tool, type Warning } from '@parley/protocol';

/** Secret → origins that tools send it to. */
type SecretOrigins = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The stored secrets that a change of tools would send to a new origin. Whoever may change tools
 * must not be able to read a secret by redirecting it; whoever knows it includes it in the request.
 */
export function redirectedSecrets(before: readonly Tool[], after: readonly Tool[]): Set<string> {
  const known = secretOrigins(before);
  const redirected = new Set<string>();
  for (const [name, origins] of secretOrigins(after))
    for (const origin of origins) if (!known.get(name)?.has(origin)) redirected.add(name);
  return redirected;
}

/** Names of all secrets that the tools use. */
export function usedSecrets(tools: readonly Tool[]): Set<string> {
  return new Set(secretOrigins(tools).keys());
}

export function droppedSecret(name: string): Warning {
  return {
    code: 'secret-dropped',
    path: `/secrets/${name}`,
    message: `The secret ${name} was dropped: a tool would send it to another origin than before. Send it again if that is what you want.`,
  };
}

function secretOrigins(tools: readonly Tool[]): SecretOrigins {
  const origins = new Map<string, Set<string>>();
  for (const tool of tools) {
    if (tool.kind !== 'http' && tool.kind !== 'mcp') continue;
    const origin = originOf(tool.kind === 'http' ? tool.url : tool.serverUrl);
    for (const name of secretsOf(tool))
      origins.set(name, (origins.get(name) ?? new Set()).add(origin));
  }
  return origins;
}

type Requesting = Extract<Tool, { kind: 'http' | 'mcp' }>;

function secretsOf(tool: Requesting): string[] {
  const body = tool.kind === 'http' && tool.body !== undefined ? [tool.body] : [];
  const named = tool.kind === 'http' ? (tool.secretRefs ?? []) : [];
  const filled = [...Object.values(tool.headers ?? {}), ...body].flatMap((text) => {
    const template = parseTemplate(text);
    return template.ok ? template.parts : [];
  });
  return [...named, ...filled.flatMap((part) => (part.kind === 'secret' ? [part.name] : []))];
}

/** Placeholders are only allowed after the host. */
function originOf(url: string): string {
  const [beginning = url] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  return URL.canParse(beginning) ? new URL(beginning).origin : url;
}
