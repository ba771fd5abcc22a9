// A small description of what a client may send, and the provider's way of refusing the rest:
// one error at a time, with a code and the path of the parameter. Fields that are not described
// are refused, so the tables built from these shapes are the whole contract.

export type Shape =
  | { kind: 'string' }
  | { kind: 'number'; min?: number; max?: number; integer?: boolean }
  | { kind: 'boolean' }
  | { kind: 'anything' }
  | { kind: 'map' }
  | { kind: 'enum'; values: readonly (string | number)[] }
  | { kind: 'array'; of: Shape }
  | { kind: 'object'; fields: Readonly<Record<string, Shape>>; required?: readonly string[] }
  | { kind: 'variants'; by: string; of: Readonly<Record<string, Shape>> }
  | { kind: 'either'; of: readonly Shape[] }
  | { kind: 'nullable'; of: Shape };

export type Problem = { code: string; message: string; param: string };

export const string: Shape = { kind: 'string' };
export const boolean: Shape = { kind: 'boolean' };
export const anything: Shape = { kind: 'anything' };
export const map: Shape = { kind: 'map' };
export const integer = (min?: number, max?: number): Shape => ({
  kind: 'number',
  integer: true,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
export const number = (min: number, max: number): Shape => ({ kind: 'number', min, max });
export const oneOf = (...values: (string | number)[]): Shape => ({ kind: 'enum', values });
export const arrayOf = (of: Shape): Shape => ({ kind: 'array', of });
export const nullable = (of: Shape): Shape => ({ kind: 'nullable', of });
export const either = (...of: Shape[]): Shape => ({ kind: 'either', of });
export const object = (fields: Record<string, Shape>, ...required: string[]): Shape => ({
  kind: 'object',
  fields,
  required,
});
export const variants = (by: string, of: Record<string, Shape>): Shape => ({
  kind: 'variants',
  by,
  of,
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep nesting can be parsed, but overflows the stack of code that walks it later. */
export const tooDeep = (value: unknown, levels = 100): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((entry) => tooDeep(entry, levels - 1)));

/**
 * The value without optional fields that are null: like the provider, the simulator treats them as
 * absent. Where null has a meaning, it stays.
 */
export function withoutNulls(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'nullable':
      return value === null ? null : withoutNulls(shape.of, value);
    case 'array':
      return Array.isArray(value) ? value.map((entry) => withoutNulls(shape.of, entry)) : value;
    case 'variants':
      return isObject(value) ? withoutNulls(variantOf(shape, value) ?? anything, value) : value;
    case 'either':
      return shape.of.reduce((rest, alternative) => withoutNulls(alternative, rest), value);
    case 'object':
      return isObject(value) ? Object.fromEntries(presentFields(shape, value)) : value;
    case 'string':
    case 'number':
    case 'boolean':
    case 'enum':
    case 'map':
    case 'anything':
      return value;
  }
}

function presentFields(
  { fields, required = [] }: Extract<Shape, { kind: 'object' }>,
  value: Record<string, unknown>,
): [string, unknown][] {
  return Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return [[name, entry]];
    const says = field.kind === 'nullable' || field.kind === 'anything' || required.includes(name);
    return entry === null && !says ? [] : [[name, withoutNulls(field, entry)]];
  });
}

function variantOf(
  { by, of }: Extract<Shape, { kind: 'variants' }>,
  value: Record<string, unknown>,
): Shape | undefined {
  const choice = Object.hasOwn(value, by) ? value[by] : undefined;
  return typeof choice === 'string' && Object.hasOwn(of, choice) ? of[choice] : undefined;
}

export function findProblem(shape: Shape, value: unknown, path: string): Problem | undefined {
  switch (shape.kind) {
    case 'anything':
      return undefined;
    case 'nullable':
      return value === null ? undefined : findProblem(shape.of, value, path);
    case 'string':
      return typeof value === 'string' ? undefined : wrongType(path, 'a string', value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType(path, 'a boolean', value);
    case 'map':
      return isObject(value) ? undefined : wrongType(path, 'an object', value);
    case 'number':
      return numberProblem(shape, value, path);
    case 'enum':
      return shape.values.some((allowed) => allowed === value)
        ? undefined
        : unsupported(path, value, shape.values);
    case 'array':
      if (!Array.isArray(value)) return wrongType(path, 'an array', value);
      return firstProblem(value, (entry, i) => findProblem(shape.of, entry, `${path}[${i}]`));
    case 'object':
      return objectProblem(shape, value, path);
    case 'variants':
      return variantProblem(shape, value, path);
    case 'either':
      return eitherProblem(shape.of, value, path);
  }
}

function objectProblem(
  shape: Extract<Shape, { kind: 'object' }>,
  value: unknown,
  path: string,
): Problem | undefined {
  if (!isObject(value)) return wrongType(path, 'an object', value);
  for (const name of shape.required ?? [])
    if (!Object.hasOwn(value, name)) return missing(join(path, name));
  return firstProblem(Object.entries(value), ([name, entry]) => {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (!field) return unknownParameter(join(path, name));
    return findProblem(field, entry, join(path, name));
  });
}

function variantProblem(
  shape: Extract<Shape, { kind: 'variants' }>,
  value: unknown,
  path: string,
): Problem | undefined {
  if (!isObject(value)) return wrongType(path, 'an object', value);
  const choice = Object.hasOwn(value, shape.by) ? value[shape.by] : undefined;
  if (choice === undefined) return missing(join(path, shape.by));
  const chosen = variantOf(shape, value);
  if (!chosen) return unsupported(join(path, shape.by), choice, Object.keys(shape.of));
  return findProblem(chosen, value, path);
}

function eitherProblem(
  shapes: readonly Shape[],
  value: unknown,
  path: string,
): Problem | undefined {
  const problems = shapes.map((shape) => findProblem(shape, value, path));
  if (problems.includes(undefined)) return undefined;
  // An object is judged by the object alternative, so that the error names the field at fault.
  const at = isObject(value)
    ? shapes.findIndex((s) => s.kind !== 'enum' && s.kind !== 'string')
    : 0;
  return problems[Math.max(at, 0)];
}

function numberProblem(
  shape: Extract<Shape, { kind: 'number' }>,
  value: unknown,
  path: string,
): Problem | undefined {
  if (typeof value !== 'number' || (shape.integer === true && !Number.isInteger(value)))
    return wrongType(path, shape.integer === true ? 'an integer' : 'a number', value);
  if (shape.min !== undefined && value < shape.min)
    return {
      code: 'integer_below_min_value',
      message: `Invalid '${path}': expected a value >= ${shape.min}, but got ${value} instead.`,
      param: path,
    };
  if (shape.max !== undefined && value > shape.max)
    return {
      code: 'integer_above_max_value',
      message: `Invalid '${path}': expected a value <= ${shape.max}, but got ${value} instead.`,
      param: path,
    };
  return undefined;
}

function firstProblem<T>(
  entries: readonly T[],
  check: (entry: T, index: number) => Problem | undefined,
): Problem | undefined {
  for (const [i, entry] of entries.entries()) {
    const problem = check(entry, i);
    if (problem) return problem;
  }
  return undefined;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const missing = (param: string): Problem => ({
  code: 'missing_required_parameter',
  message: `Missing required parameter: '${param}'.`,
  param,
});

const unknownParameter = (param: string): Problem => ({
  code: 'unknown_parameter',
  message: `Unknown parameter: '${param}'.`,
  param,
});

const unsupported = (
  param: string,
  value: unknown,
  values: readonly (string | number)[],
): Problem => ({
  code: 'invalid_value',
  message: `Invalid value: '${shortText(value)}'. Supported values are: ${values.map((v) => `'${v}'`).join(', ')}.`,
  param,
});

const wrongType = (param: string, expected: string, value: unknown): Problem => ({
  code: 'invalid_type',
  message: `Invalid type${param === '' ? '' : ` for '${param}'`}: expected ${expected}, but got ${typeName(value)} instead.`,
  param,
});

const shortText = (value: unknown): string =>
  (typeof value === 'string' ? value : typeName(value)).slice(0, 100);

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
