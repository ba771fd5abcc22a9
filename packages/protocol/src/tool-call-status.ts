/** How a tool call stands, and the number that the interface has for it. Only what is sent or stored has the number. */
export const toolCallStatus = { pending: 0, succeeded: 1, failed: 2, waiting: 3 } as const;

export type ToolCallStatus = keyof typeof toolCallStatus;

const statuses = Object.keys(toolCallStatus) as ToolCallStatus[];

export function toolCallStatusOf(number: number): ToolCallStatus {
  const found = statuses.find((status) => toolCallStatus[status] === number);
  if (!found) throw new Error(`${number} is not the status of a tool call`);
  return found;
}
