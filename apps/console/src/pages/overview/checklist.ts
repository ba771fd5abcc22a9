/** The first steps of an organization, derived from what it has. */
export type Seen = {
  readonly conversations: number;
  readonly agents: number;
  /** Undefined if the user may not see keys. */
  readonly keys: number | undefined;
};

export type Step = {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly to: `/$organizationId/${'playground' | 'agents/new' | 'keys'}`;
  readonly done: boolean;
};

/** A new organization has a demo agent, and the key that created it. */
export function stepsOf({ conversations, agents, keys }: Seen): Step[] {
  const steps: Step[] = [
    {
      title: 'Talk to the demo agent',
      text: 'By voice or in text, in the playground.',
      action: 'Open the playground',
      to: '/$organizationId/playground',
      done: conversations > 0,
    },
    {
      title: 'Create your own agent',
      text: 'Say what it is for and which tools it may use.',
      action: 'Create an agent',
      to: '/$organizationId/agents/new',
      done: agents > 1,
    },
  ];
  if (keys === undefined) return steps;
  return [
    ...steps,
    {
      title: 'Create a key',
      text: 'Your programs use it to open sessions and ask questions.',
      action: 'Create a key',
      to: '/$organizationId/keys',
      done: keys > 1,
    },
  ];
}
