import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, Task } from '@modelcontextprotocol/sdk/types.js';
import { ToolFailure } from '../tools/tool.js';

export type TaskCall = {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
};

/** Bounds of the polling interval, whatever the server suggests. */
const polling = { leastMs: 50, mostMs: 5000, usualMs: 1000 };
/** How long the server keeps the result after the call's own timeout. */
const keptMs = 60_000;
const farewellMs = 2000;

/**
 * Calls a tool that its server runs as a task: the response is the task, which is polled until it
 * is done. The SDK's own loop waits as long as a server tells it to, and does not report why a task
 * failed.
 */
export async function callAsTask(client: Client, call: TaskCall): Promise<CallToolResult> {
  const { name, input, timeoutMs } = call;
  const { task } = await client.request(
    { method: 'tools/call', params: { name, arguments: { ...input } } },
    CreateTaskResultSchema,
    { ...options(call), task: { ttl: timeoutMs + keptMs } },
  );
  try {
    return await result(client, task, call);
  } catch (error) {
    client.experimental.tasks
      .cancelTask(task.taskId, { timeout: farewellMs })
      .catch(() => undefined);
    // Only the call itself may be sent again, by a caller that finds that the server was restarted
    // before it.
    throw error instanceof ToolFailure || call.signal.aborted
      ? error
      : new ToolFailure('The server lost the task.');
  }
}

async function result(client: Client, begun: Task, call: TaskCall): Promise<CallToolResult> {
  const { tasks } = client.experimental;
  const { taskId } = begun;
  let task = begun;
  while (task.status === 'working') {
    const { pollInterval = polling.usualMs } = task;
    const pause = Math.min(Math.max(pollInterval, polling.leastMs), polling.mostMs);
    await delay(pause, undefined, { signal: call.signal });
    task = await tasks.getTask(taskId, options(call));
  }
  if (task.status === 'input_required')
    throw new ToolFailure('The tool asks for input, which nobody can give it here.');
  if (task.status === 'cancelled') throw new ToolFailure('The server cancelled the task.');
  if (task.status === 'failed' && task.statusMessage !== undefined)
    throw new ToolFailure(`The task failed: ${task.statusMessage}`);
  return tasks.getTaskResult(taskId, CallToolResultSchema, options(call));
}

/** The SDK never removes its listener from a signal, so each request gets its own signal. */
function options({ signal, timeoutMs }: TaskCall): { signal: AbortSignal; timeout: number } {
  return { signal: AbortSignal.any([signal]), timeout: timeoutMs };
}
