import type { Caller } from '@parley/issuing';
import { keyRememberedMs } from '@parley/protocol';

/** The caller of a request, as of now. Throws the refusal that a new request would get. */
export type CurrentCaller = () => Promise<Caller>;

/**
 * A body may take its time to arrive, and the caller may be revoked meanwhile. So a caller that was
 * admitted longer ago than keys are remembered is established again.
 */
export function currentCaller(admitted: Caller, again: CurrentCaller): CurrentCaller {
  const admittedAt = performance.now();
  return async () => (performance.now() - admittedAt < keyRememberedMs ? admitted : again());
}
