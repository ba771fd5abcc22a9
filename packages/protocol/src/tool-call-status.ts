/** How a tool call stands, and the number that the interface has for it. Only what is sent or stored has the number. */
export const toolCallStatus = { pending: 0, succeeded: 1, failed: 2, waiting: 3 } as const;

export type ToolCallStatus = keyof typeof toolCallStatus;

const words = ['pending', 'succeeded', 'failed', 'waiting'] as const satisfies ToolCallStatus[];

export function toolCallStatusOf(number: number): ToolCallStatus {
  const word = words[number];
  if (word === undefined) throw new Error(`${number} is not the status of a tool call`);
  return word;
}
