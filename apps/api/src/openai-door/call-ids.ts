/**
 * The id of a call of the caller's own tool contains the question that made it, so that the results
 * of the agent's tools for that question are known when the caller sends its own. Providers accept
 * 40 characters.
 */
const shape =
  /^call_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-z]{2}$/;

export function callIdOf(runId: string, nth: number): string {
  return `call_${runId.replaceAll('-', '')}${nth.toString(36).padStart(2, '0')}`;
}

/** The question that made the call; undefined if the id is not one of ours. */
export function runOfCall(callId: string): string | undefined {
  return shape.exec(callId)?.slice(1).join('-');
}
