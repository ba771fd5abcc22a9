import type { UsageInterval } from '@parley/client/server';
import type { Line } from '../../parts/chart.js';
import { countOf, countText } from '../../parts/words.js';

type Pick = (item: UsageInterval) => number;

export type Figure = {
  readonly title: string;
  readonly lines: readonly { readonly label: string; readonly of: Pick }[];
  /** The sum of all lines, as text. */
  readonly totalText: (sum: number) => string;
};

/** The metrics over time: one chart each. */
export const figures = {
  sessions: {
    title: 'Sessions',
    lines: [{ label: 'Sessions', of: ({ sessions }) => sessions }],
    totalText: (sum) => countOf(sum, 'session'),
  },
  minutes: {
    title: 'Minutes',
    lines: [{ label: 'Minutes', of: ({ minutes }) => minutes }],
    totalText: (sum) => countOf(Math.round(sum), 'minute'),
  },
  tokens: {
    title: 'Tokens',
    lines: [
      { label: 'In', of: ({ tokensIn }) => tokensIn },
      { label: 'Out', of: ({ tokensOut }) => tokensOut },
    ],
    totalText: (sum) => countOf(sum, 'token'),
  },
  toolCalls: {
    title: 'Tool calls',
    lines: [{ label: 'Tool calls', of: ({ toolCalls }) => toolCalls }],
    totalText: (sum) => countOf(sum, 'call'),
  },
  approvals: {
    title: 'Approvals',
    lines: [
      { label: 'Approved', of: ({ approvals }) => approvals.approved },
      { label: 'Rejected', of: ({ approvals }) => approvals.rejected },
      { label: 'Expired', of: ({ approvals }) => approvals.expired },
      { label: 'Cancelled', of: ({ approvals }) => approvals.cancelled },
    ],
    totalText: (sum) => countOf(sum, 'approval'),
  },
  errors: {
    title: 'Errors',
    lines: [{ label: 'Errors', of: ({ errors }) => errors }],
    totalText: (sum) => countOf(sum, 'error'),
  },
} as const satisfies Record<string, Figure>;

export type FigureName = keyof typeof figures;
export const figureNames = Object.keys(figures) as FigureName[];

export function linesOf(figure: Figure, items: readonly UsageInterval[]): Line[] {
  return figure.lines.map(({ label, of }) => ({ label, values: items.map(of) }));
}

export function sumOf(figure: Figure, items: readonly UsageInterval[]): number {
  return figure.lines.reduce(
    (sum, { of }) => sum + items.reduce((part, item) => part + of(item), 0),
    0,
  );
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "940", "12.4K": for axes and figures. */
export function shortText(value: number): string {
  return short.format(value);
}

export function valueText(value: number): string {
  return countText(Math.round(value * 10) / 10);
}

/** The names of the quotas. An unknown quota is shown by name. */
const quotaLabels = new Map(
  Object.entries({
    realtimeSessions: 'Realtime sessions at a time',
    questions: 'Questions at a time',
    fileBytes: 'Bytes of temporary files',
    tokensPerDay: 'Tokens today (UTC)',
    mcpServersPerAgent: 'MCP servers per agent',
  }),
);

export function quotaLabel(name: string): string {
  return quotaLabels.get(name) ?? name;
}
