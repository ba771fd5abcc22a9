/**
 * Converts days in the user's time zone to timestamps for the service; the last day is included.
 */
export function momentsOf({ from, to }: { from?: string | undefined; to?: string | undefined }): {
  from?: string;
  to?: string;
} {
  const [start, end] = [startOf(from), startOf(to, 1)];
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

function startOf(day: string | undefined, later = 0): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (!match) return undefined;
  const [year, month, date] = match.slice(1).map(Number) as [number, number, number];
  const at = new Date(year, month - 1, date + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
