import { ClientTool, validatorOf, type FieldError } from '@parley/protocol';

type Sent = Readonly<Record<string, unknown>>;

const validate = validatorOf(ClientTool);

/** Functions as chat completions declare them: under `function`. */
export function clientToolsIn(tools: readonly Sent[], errors: FieldError[]): ClientTool[] {
  return tools.flatMap((tool, n) => {
    const path = `/tools/${n}`;
    if (tool['type'] === 'function' && isObject(tool['function']))
      return declared(tool['function'], `${path}/function`, errors);
    errors.push({ path, message: notFunction });
    return [];
  });
}

/** Functions as realtime sessions declare them: with their fields beside `type`. */
export function sessionToolsIn(tools: readonly Sent[], errors: FieldError[]): ClientTool[] {
  return tools.flatMap((tool, n) => {
    const path = `/session/tools/${n}`;
    if (tool['type'] === 'function') return declared(tool, path, errors);
    errors.push({ path, message: notFunction });
    return [];
  });
}

const notFunction = 'must be a function: an agent’s other tools are configured with the agent';

/** OpenAI does not insist on a description. */
function declared(source: Sent, path: string, errors: FieldError[]): ClientTool[] {
  const { name, parameters } = source;
  const described = typeof source['description'] === 'string' && source['description'].trim();
  const description = described ? source['description'] : name;
  const checked = validate({
    name,
    description,
    ...(isObject(parameters) && { parameters }),
  });
  if (checked.ok) return [checked.value];
  errors.push(...checked.errors.map((error) => ({ ...error, path: path + error.path })));
  return [];
}

function isObject(value: unknown): value is Sent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
