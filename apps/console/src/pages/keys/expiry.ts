/** Until when a key is good, as a form asks for it. */
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
  /** Of the choice "date", as an input of a day has it: the key is good through the end of it. */
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

/** In the reader's own zone. */
export function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export type Standing = 'active' | 'expiring' | 'expired';

/** A key is told of a week before it ends. */
export function standingOf(expiresAt: string | null, now: number): Standing {
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < 7 * dayMs ? 'expiring' : 'active';
}
