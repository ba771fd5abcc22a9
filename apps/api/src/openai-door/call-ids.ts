/**
 * The id of a call of the caller's own tool: it names the question that made it, so that what the agent's tools did for that question is known
 * when the caller brings the result. Providers take 40 characters.
 */
const shape =
  /^call_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})[0-9a-z]{2}$/;

export function callIdOf(runId: string, nth: number): string {
  return `call_${runId.replaceAll('-', '')}${nth.toString(36).padStart(2, '0')}`;
}

/** The question whose call it is; undefined where the id is not one of ours. */
export function runOfCall(callId: string): string | undefined {
  return shape.exec(callId)?.slice(1).join('-');
}
