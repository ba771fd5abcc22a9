/** What each client is asked to do, on a connection of its own. */
export const scenarios = [
  'text',
  'speech',
  'clientTool',
  'backendTool',
  'approval',
  'interruption',
] as const;
export type Scenario = (typeof scenarios)[number];

/** What came of it, in the words of the client. */
export type Outcome = {
  /** What the agent said, each answer whole. */
  answers: string[];
  /** What the user said, where the client is told. */
  heard: string[];
  toolCalls: { name: string; arguments: unknown }[];
  audioBytes: number;
  errors: string[];
  interrupted: boolean;
};

export type Connection = {
  /** https://host/v1 */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The agent’s id. */
  readonly model: string;
  /** pcm16 at 24 kHz. */
  readonly speech: Uint8Array;
};

/** What the user types; the simulator obeys what starts with an exclamation mark. */
export const typed: Readonly<Record<Exclude<Scenario, 'speech'>, string>> = {
  text: '!say Hello there',
  clientTool: '!call colour {"name":"sky"}',
  backendTool: '!call look_up {"id":"7"}',
  approval: '!call pay {"amount":5}',
  interruption: `!say ${'This sentence is one of many. '.repeat(20).trim()}`,
};

export const colourTool = {
  name: 'colour',
  description: 'Tells the colour of a thing.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
} as const;

export const noOutcome = (): Outcome => ({
  ...{ answers: [], heard: [], toolCalls: [], audioBytes: 0, errors: [], interrupted: false },
});

/** As a microphone gives it, with silence behind the words. */
export async function speak(
  speech: Uint8Array,
  send: (chunk: Uint8Array) => void,
  pause: () => Promise<void>,
): Promise<void> {
  const bytesIn100Ms = 4800;
  const sound = new Uint8Array(speech.length + 10 * bytesIn100Ms);
  sound.set(speech);
  for (let at = 0; at < sound.length; at += bytesIn100Ms) {
    send(sound.slice(at, at + bytesIn100Ms));
    await pause();
  }
}

/** Whether nothing more is to come. */
export function isComplete(scenario: Scenario, outcome: Outcome): boolean {
  if (scenario === 'interruption') return outcome.interrupted;
  return outcome.answers.length > 0;
}
