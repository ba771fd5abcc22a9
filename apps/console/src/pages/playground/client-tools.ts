import type { ClientTool } from '@parley/client';

export const tints = ['blue', 'green', 'orange', 'pink', 'purple', 'none'] as const;
export type Tint = (typeof tints)[number];

/** The parts of the page that its tools can use. */
export type PageReach = {
  readonly paint: (tint: Tint) => void;
  readonly now: () => Date;
};

export type DemoTool = {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** A phrase that makes the agent call it. */
  readonly phrase: string;
  readonly make: (reach: PageReach) => ClientTool;
};

/** Functions of this page that the agent may call; they run in the browser. */
export const demoTools: readonly DemoTool[] = [
  {
    name: 'change_page_color',
    label: 'Let the agent change this page’s colour',
    help: 'A client tool: it runs here, in your browser.',
    phrase: 'Change the color of the page to green',
    make: ({ paint }) => ({
      description: 'Changes the background color of the page that the user looks at.',
      parameters: {
        type: 'object',
        properties: { color: { type: 'string', enum: tints } },
        required: ['color'],
      },
      execute: ({ color }: { color?: unknown }) => {
        const tint = tints.find((known) => known === color);
        if (tint === undefined) throw new Error(`The color must be one of ${tints.join(', ')}.`);
        paint(tint);
        return { color: tint };
      },
    }),
  },
  {
    name: 'read_browser_clock',
    label: 'Let the agent read this browser’s clock',
    help: 'It learns your local time, time zone and language.',
    phrase: 'Read the clock of my browser',
    make: ({ now }) => ({
      description: 'Reads the clock of the browser: local time, time zone and language.',
      execute: () => ({
        localTime: now().toLocaleString('en', { dateStyle: 'full', timeStyle: 'medium' }),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        language: navigator.language,
      }),
    }),
  },
];

export function clientTools(
  names: readonly string[],
  reach: PageReach,
): Readonly<Record<string, ClientTool>> {
  return Object.fromEntries(
    demoTools
      .filter(({ name }) => names.includes(name))
      .map(({ name, make }) => [name, make(reach)]),
  );
}
