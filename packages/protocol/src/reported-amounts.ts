/** Sums of values below this stay exact. */
const implausible = 2 ** 31;

/** What a provider reports, such as seconds; 0 if it is not plausible. */
export function reportedAmount(value: unknown): number {
  return typeof value === 'number' && value > 0 && value < implausible ? value : 0;
}

/** The same for whole numbers, such as tokens. */
export function reportedCount(value: unknown): number {
  return Number.isSafeInteger(value) ? reportedAmount(value) : 0;
}
