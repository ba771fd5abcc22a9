/** The choices for when a key expires. */
export const expiryChoices = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const;

export type ExpiryChoice = (typeof expiryChoices)[number]['value'];
export type Expiry = {
  readonly choice: ExpiryChoice;
  /**
   * For the choice "date", as a date input has it: the key is valid through the end of that day.
   */
  readonly day: string;
};

const dayMs = 86_400_000;

/** Null: never. Undefined: no day was chosen. */
export function expiresAtOf({ choice, day }: Expiry, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now + Number(choice) * dayMs).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

export function expiryOf(expiresAt: string | null): Expiry {
  if (expiresAt === null) return { choice: 'never', day: '' };
  return { choice: 'date', day: dayOf(new Date(expiresAt)) };
}

/** In the user's time zone. */
export function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export type Standing = 'active' | 'expiring' | 'expired';

/** A key is marked a week before it expires. */
export function standingOf(expiresAt: string | null, now: number): Standing {
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < 7 * dayMs ? 'expiring' : 'active';
}
