import {
  ClientTool,
  clientToolLimits,
  isObject,
  validatorOf,
  type FieldError,
  type JsonObject,
} from '@parley/protocol';

const validate = validatorOf(ClientTool);

/** Functions in the format of chat completions: under `function`. */
export function clientToolsIn(tools: readonly JsonObject[], errors: FieldError[]): ClientTool[] {
  const { perSession: most } = clientToolLimits;
  if (tools.length > most) {
    errors.push({ path: '/tools', message: `must not have more than ${most} items` });
    return [];
  }
  return tools.flatMap((tool, n) => {
    const path = `/tools/${n}`;
    if (tool['type'] === 'function' && isObject(tool['function']))
      return declared(tool['function'], `${path}/function`, errors);
    errors.push({ path, message: notFunction });
    return [];
  });
}

/** Functions in the format of realtime sessions: with their fields next to `type`. */
export function sessionToolsIn(tools: readonly JsonObject[], errors: FieldError[]): ClientTool[] {
  return tools.flatMap((tool, n) => {
    const path = `/session/tools/${n}`;
    if (tool['type'] === 'function') return declared(tool, path, errors);
    errors.push({ path, message: notFunction });
    return [];
  });
}

const notFunction = 'must be a function: an agent’s other tools are configured with the agent';

/** OpenAI does not require a description. */
function declared(source: JsonObject, path: string, errors: FieldError[]): ClientTool[] {
  const { name, parameters } = source;
  const described = typeof source['description'] === 'string' && source['description'].trim();
  const description = described ? source['description'] : name;
  const checked = validate({
    name,
    description,
    ...(parameters !== undefined && parameters !== null && { parameters }),
  });
  if (checked.ok) return [checked.value];
  errors.push(...checked.errors.map((error) => ({ ...error, path: path + error.path })));
  return [];
}
