import { ParleyError } from '../errors.js';
import type { ClientTool, ToolDeclaration } from './connect-options.js';
import { within } from './within.js';

/** The part of Standard Schema (and its JSON schema extension) that is used here. */
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

/** The declarations of the tools for the service; throws if one is invalid. */
export function declarationsOf(tools: Readonly<Record<string, ClientTool>>): ToolDeclaration[] {
  return Object.entries(tools).map(([name, tool]) => {
    const wrong = (what: string) => new ParleyError('tool-invalid', `The tool '${name}' ${what}`);
    if (typeof tool.execute !== 'function') throw wrong('needs a function `execute`.');
    if (typeof tool.description !== 'string' || tool.description.trim() === '')
      throw wrong('needs a `description`, from which the model decides when to call it.');
    const { description } = tool;
    if (tool.parameters === undefined) return { name, description };
    const parameters = jsonSchemaOf(tool.parameters);
    if (!parameters || (parameters as { type?: unknown }).type !== 'object')
      throw wrong(
        'needs `parameters` that are, or can be converted to, the JSON schema of an object.',
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

/** Runs a tool. Whatever happens, the model gets an output. */
export async function runTool(
  tool: ClientTool,
  call: { readonly callId: string; readonly arguments: unknown },
  left: AbortSignal,
): Promise<Answer> {
  const { timeoutMs = defaultTimeoutMs } = tool;
  try {
    const result = await within(timeoutMs, left, (signal) => {
      const stopped = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () =>
          reject(
            new Error(
              left.aborted ? 'The session ended.' : `The tool took longer than ${timeoutMs} ms.`,
            ),
          ),
        );
      });
      const run = async () => {
        const args = await checked(tool.parameters, call.arguments);
        return tool.execute(args as never, { signal, callId: call.callId });
      };
      return Promise.race([run(), stopped]);
    });
    return { ok: true, output: written(result) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, output: JSON.stringify({ error: message || 'The tool failed.' }) };
  }
}

/**
 * If the schema rejects the arguments, the model learns which ones are wrong. A plain JSON schema
 * is not validated here.
 */
async function checked(parameters: object | undefined, args: unknown): Promise<unknown> {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    throw new Error('The arguments are not a JSON object.');
  if (parameters === undefined || !isStandard(parameters)) return args;
  const { issues, value } = (await parameters['~standard'].validate(args)) as Validation;
  if (!issues) return value;
  const list = issues.map(
    ({ message, path }) => `${(path ?? []).map(keyOf).join('.')}: ${message}`,
  );
  throw new Error(`The arguments are invalid: ${list.join('; ')}`);
}

function keyOf(segment: unknown): string {
  return String(
    typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment,
  );
}

/** Serializes as JSON; in arrays, values that JSON cannot represent become null. */
function written(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify([result]).slice(1, -1);
}
