export const uuidPattern =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

const uuid = new RegExp(uuidPattern);

/** Any spelling of a UUID that PostgreSQL treats as equal: letters in either case, with dashes. */
export function isUuid(text: string): boolean {
  return uuid.test(text);
}
