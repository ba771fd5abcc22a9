import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { CallToolResult, Task } from '@modelcontextprotocol/sdk/types.js';
import { requestWithin } from './mcp-request.js';
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
  const { name, input, timeoutMs, signal } = call;
  const { task } = await requestWithin(signal, (own) =>
    client.request(
      { method: 'tools/call', params: { name, arguments: { ...input } } },
      CreateTaskResultSchema,
      { signal: own, timeout: timeoutMs, task: { ttl: timeoutMs + keptMs } },
    ),
  );
  try {
    return await result(client, task, call);
  } catch (error) {
    client.experimental.tasks
      .cancelTask(task.taskId, { timeout: farewellMs })
      .catch(() => undefined);
    // Only the call itself may be sent again, by a caller that finds that the server was restarted
    // before it.
    throw error instanceof ToolFailure || signal.aborted
      ? error
      : new ToolFailure('The server lost the task.');
  }
}

async function result(
  client: Client,
  begun: Task,
  { signal, timeoutMs: timeout }: TaskCall,
): Promise<CallToolResult> {
  const { tasks } = client.experimental;
  const { taskId } = begun;
  let task = begun;
  while (task.status === 'working') {
    const { pollInterval = polling.usualMs } = task;
    const pause = Math.min(Math.max(pollInterval, polling.leastMs), polling.mostMs);
    await delay(pause, undefined, { signal });
    task = await requestWithin(signal, (own) => tasks.getTask(taskId, { signal: own, timeout }));
  }
  if (task.status === 'input_required')
    throw new ToolFailure('The tool asks for input, which nobody can give it here.');
  if (task.status === 'cancelled') throw new ToolFailure('The server cancelled the task.');
  if (task.status === 'failed' && task.statusMessage !== undefined)
    throw new ToolFailure(`The task failed: ${task.statusMessage}`);
  return requestWithin(signal, (own) =>
    tasks.getTaskResult(taskId, CallToolResultSchema, { signal: own, timeout }),
  );
}
