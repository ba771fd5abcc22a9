import type { TextMessage, TextUsage } from '@parley/providers';
import type { OpenCall } from './call.js';

/** An agent's way to a text answer: what was said, the calls that are open, and what it cost. A plain value, like its calls. */
export type Run = {
  readonly state: 'open' | 'waiting' | 'answered' | 'failed';
  readonly messages: readonly TextMessage[];
  readonly openCalls: readonly OpenCall[];
  readonly rounds: number;
  /** Where the message of the next tool call stands. */
  readonly position: number;
  /** What came of it: the answer, or why there is none. */
  readonly answer: string;
  readonly usage: readonly TextUsage[];
};

/** A run that has not begun. `messages` ends with the question. */
export function newRun(messages: readonly TextMessage[], position: number): Run {
  return { state: 'open', messages, openCalls: [], rounds: 0, position, answer: '', usage: [] };
}
