/** A `Date` header has whole seconds, and was written some time ago. */
const toleranceMs = 2_000;

let aheadMs = 0;

/**
 * The current time of the service, which sets all deadlines: the clock of this computer may be
 * minutes off.
 */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}

/** Learns from a response. */
export function noteDate({ headers }: Pick<Response, 'headers'>): void {
  const told = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(told)) return;
  const ahead = told + 500 - Date.now();
  aheadMs = Math.abs(ahead) > toleranceMs ? ahead : 0;
}
