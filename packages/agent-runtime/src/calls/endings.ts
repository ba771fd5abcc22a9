/**
 * Every way in which a call ends without its tool's own answer: what the model and people are told,
 * and how it is counted.
 */
export const endings = {
  refused: 'The call was refused.',
  rejected: 'The user rejected this call. The tool was not run.',
  expired: 'The approval of this call timed out. The tool was not run.',
  cancelled: 'This call was cancelled. The tool was not run.',
  not_recorded: 'This call could not be recorded. The tool was not run.',
  not_asked: 'Approval for this call could not be requested. The tool was not run.',
  other_arguments: 'The arguments are not those that were approved. The tool was not run.',
  unknown: 'The tool was started before, and its outcome is unknown. It was not run again.',
  interrupted: 'The call was interrupted while the tool was running. Its outcome is unknown.',
  timed_out: 'The tool did not finish in time. Its outcome is unknown.',
  failed: 'The tool failed.',
} as const satisfies Record<string, string>;

export type Ending = keyof typeof endings;

/** How a call ended, for the count of calls. */
export type CallEnding = Ending | 'succeeded';
