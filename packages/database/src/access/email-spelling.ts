/**
 * How addresses are compared and counted. Only ASCII letters have another case: which others are
 * equal depends on who compares, and might be two mailboxes.
 */
export function emailSpelling(email: string): string {
  return email.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
