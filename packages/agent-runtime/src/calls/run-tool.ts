import { setMaxListeners } from 'node:events';
import { EgressTimeout } from '@parley/egress';
import { ToolFailure, type BoundTool, type ToolInput, type ToolResult } from '../tools/tool.js';
import type { Over, Run } from './call.js';

/** The result of running a tool. */
export type Ran =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'suspended'; readonly run: Run }
  | { readonly kind: 'timed_out' | 'interrupted' }
  | { readonly kind: 'failed'; readonly says: string }
  | { readonly kind: 'broken'; readonly err: unknown };

/** The abort reason if the tool's own time was up, rather than its session. */
export class ToolTimedOut extends Error {}

/**
 * The abort reason if a call ends although its session continues: the response that made it was cut
 * off. Unlike other aborts, this one is announced.
 */
export class CallCancelled extends Error {
  override readonly name = 'CallCancelled';

  constructor() {
    super('The response that made the call was cut off.');
  }
}

/** The abort reason if another process continues the session. */
export class SessionMoved extends Error {
  override readonly name = 'SessionMoved';

  constructor() {
    super('Another process continues the session.');
  }
}

/** What an aborted call does from then on. */
export function overBy(signal: AbortSignal): Over {
  if (signal.reason instanceof SessionMoved) return 'moved';
  return isSilenced(signal) ? 'silent' : 'told';
}

/**
 * Nothing is announced to a session that is over. A call that was cut off, or a sub-agent whose own
 * time is up, still announces its end.
 */
export function isSilenced(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason;
  return signal.aborted && !(reason instanceof ToolTimedOut || reason instanceof CallCancelled);
}

/** Runs a tool within its timeout and its session. Never throws. */
export async function runTool(tool: BoundTool, input: ToolInput): Promise<Ran> {
  const { signal } = input;
  const controller = new AbortController();
  const interrupt = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new ToolTimedOut()), tool.timeoutMs);
  // All calls of a round listen to one signal while they run; Node reports eleven listeners as a
  // leak.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    // The session may have ended while the call was being claimed. Only a sub-agent that has
    // started continues, to end its own calls.
    if (!input.run) controller.signal.throwIfAborted();
    const running = tool.run({ ...input, signal: controller.signal });
    // A sub-agent ends its own calls first. Any other tool that ignores the signal is left behind.
    const ran = await (tool.kind === 'subagent'
      ? running
      : Promise.race([running, firing(controller.signal)]));
    return 'run' in ran ? { kind: 'suspended', run: ran.run } : { kind: 'result', result: ran };
  } catch (error) {
    return ranInto(error, controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', interrupt);
  }
}

function ranInto(error: unknown, signal: AbortSignal): Ran {
  if (signal.aborted)
    return { kind: signal.reason instanceof ToolTimedOut ? 'timed_out' : 'interrupted' };
  if (error instanceof EgressTimeout) return { kind: 'timed_out' };
  if (error instanceof ToolFailure) return { kind: 'failed', says: error.message };
  return { kind: 'broken', err: error };
}

function firing(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fire = () => reject(signal.reason as Error);
    if (signal.aborted) fire();
    else signal.addEventListener('abort', fire, { once: true });
  });
}
