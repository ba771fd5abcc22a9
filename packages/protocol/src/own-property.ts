/**
 * The own property of a record under a name from outside: `constructor` does not find what the
 * record inherits.
 */
export function ownProperty<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
