/** What a record itself holds under a name that somebody else chose: `constructor` finds nothing that the record inherits. */
export function ownProperty<Value>(
  record: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}
