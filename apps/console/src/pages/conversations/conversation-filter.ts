import type { Tone } from '../../parts/badge.js';

export const outcomes = ['waiting', 'open', 'failed', 'completed'] as const;
export type Outcome = (typeof outcomes)[number];

export const outcomeWords: Readonly<Record<Outcome, { word: string; tone: Tone }>> = {
  waiting: { word: 'Waiting for approval', tone: 'warn' },
  open: { word: 'Open', tone: 'accent' },
  failed: { word: 'Failed', tone: 'danger' },
  completed: { word: 'Completed', tone: 'ok' },
};

/** Undefined if the service does not report it. */
export function outcomeOf(conversation: object): Outcome | undefined {
  return outcomes.find((each) => 'outcome' in conversation && conversation.outcome === each);
}

type Search = Partial<Record<'q' | 'agent' | 'from' | 'to' | 'outcome', string>>;

/**
 * The filter in the address. Days are in the user's time zone, and the last one is included;
 * invalid days are ignored.
 */
export function filterOf({ q, agent, from, to, outcome }: Search) {
  return {
    search: q?.trim() === '' ? undefined : q?.trim().slice(0, 200),
    agentId: agent,
    from: startOf(from, 0),
    to: startOf(to, 1),
    outcome: outcomes.find((each) => each === outcome),
  };
}

function startOf(day: string | undefined, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}
