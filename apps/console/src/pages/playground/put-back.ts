/** The text that could not be sent, before what was typed since. */
export function putBack(unsent: string, typed: string): string {
  return typed.trim() === '' ? unsent : `${unsent}\n${typed}`;
}
