import { checkParameterSchema, type ClientTool, type FieldError } from '@parley/protocol';

/** Checks what a schema cannot express about the tools that a client supplies. */
export function checkClientTools(
  tools: readonly ClientTool[],
  backendToolNames: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set<string>();
  return tools.flatMap(({ name, parameters }, index) => {
    const path = `/clientTools/${index}`;
    const errors: FieldError[] = [];
    if (seen.has(name)) errors.push({ path: `${path}/name`, message: 'is used twice' });
    if (backendToolNames.has(name))
      errors.push({ path: `${path}/name`, message: 'is the name of a tool of the agent' });
    seen.add(name);
    const problem = parameters && checkParameterSchema(parameters);
    if (problem)
      errors.push({ path: `${path}/parameters${problem.path}`, message: problem.message });
    return errors;
  });
}
