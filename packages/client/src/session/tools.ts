import { ParleyError } from '../errors.js';
import type { ClientTool, ToolDeclaration } from './types.js';

/** The part of Standard Schema (and of its JSON schema) that is used here. */
type StandardSchema = {
  readonly '~standard': {
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema?: { readonly input: (options: { target: string }) => object };
  };
};
type Validation = {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
};

const defaultTimeoutMs = 30_000;

/** What the service is told of the tools; throws for one that could not work. */
export function declarationsOf(tools: Readonly<Record<string, ClientTool>>): ToolDeclaration[] {
  return Object.entries(tools).map(([name, tool]) => {
    const wrong = (what: string) => new ParleyError('tool-invalid', `The tool '${name}' ${what}`);
    if (typeof tool.execute !== 'function') throw wrong('needs a function `execute`.');
    if (typeof tool.description !== 'string' || tool.description.trim() === '')
      throw wrong('needs a `description`: the model decides by it when to call the tool.');
    const { description } = tool;
    if (tool.parameters === undefined) return { name, description };
    const parameters = jsonSchemaOf(tool.parameters);
    if (!parameters || (parameters as { type?: unknown }).type !== 'object')
      throw wrong(
        'needs `parameters` with the JSON schema of an object, or a schema that tells it.',
      );
    return { name, description, parameters };
  });
}

function jsonSchemaOf(parameters: object): object | undefined {
  if (!isStandard(parameters)) return Array.isArray(parameters) ? undefined : parameters;
  return parameters['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
}

function isStandard(parameters: object): parameters is StandardSchema {
  return '~standard' in parameters;
}

export type Answer = { readonly ok: boolean; readonly output: string };

/** Runs a tool. Whatever happens, there is an answer for the model. */
export async function runTool(
  tool: ClientTool,
  call: { readonly callId: string; readonly arguments: unknown },
  left: AbortSignal,
): Promise<Answer> {
  const { timeoutMs = defaultTimeoutMs } = tool;
  const overdue = new AbortController();
  const timer = setTimeout(() => overdue.abort(), timeoutMs);
  const signal = AbortSignal.any([left, overdue.signal]);
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () =>
      reject(
        new Error(
          left.aborted ? 'The session ended.' : `The tool took longer than ${timeoutMs} ms.`,
        ),
      ),
    );
  });
  try {
    const run = async () => {
      const args = await checked(tool.parameters, call.arguments);
      return tool.execute(args as never, { signal, callId: call.callId });
    };
    return { ok: true, output: written(await Promise.race([run(), stopped])) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, output: JSON.stringify({ error: message || 'The tool failed.' }) };
  } finally {
    clearTimeout(timer);
  }
}

/** Arguments that the schema refuses are the model's mistake, and it is told where. A plain JSON schema is not checked here. */
async function checked(parameters: object | undefined, args: unknown): Promise<unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new Error('The arguments are not a JSON object.');
  if (parameters === undefined || !isStandard(parameters)) return args;
  const { issues, value } = (await parameters['~standard'].validate(args)) as Validation;
  if (!issues) return value;
  const list = issues.map(
    ({ message, path }) => `${(path ?? []).map(keyOf).join('.')}: ${message}`,
  );
  throw new Error(`The arguments do not fit: ${list.join('; ')}`);
}

function keyOf(segment: unknown): string {
  return String(
    typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment,
  );
}

/** As JSON; within a list, what has no JSON is null. */
function written(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify([result]).slice(1, -1);
}
