/** Whether data nests no deeper than this. Never looks deeper than that. */
export function nestsWithin(levels: number, data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return true;
  return levels > 0 && Object.values(data).every((value) => nestsWithin(levels - 1, value));
}
