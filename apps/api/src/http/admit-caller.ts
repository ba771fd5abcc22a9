import type { Authenticate } from './authenticate.js';
import type { Caller } from './call.js';
import type { Exchange } from './exchange.js';
import type { Guarded } from './require-scope.js';
import { throttle, type Throttle } from './throttle.js';

/**
 * Authenticates the caller, and counts the request. A caller that was seen a moment ago is looked
 * up again only if the count shows that it has changed, cannot be made, or took too long.
 */
export async function admitCaller(
  { request, response }: Exchange,
  operation: Guarded,
  ports: { authenticate: Authenticate; throttles: readonly [Throttle, Throttle?] },
): Promise<Caller> {
  const { authenticate, throttles } = ports;
  const recalled = authenticate.recall?.(request, operation);
  const caller = recalled?.caller ?? (await authenticate(request, operation));
  const { organizationId, openedBy } = caller;
  Object.assign(response.locals, { organizationId, ...openedBy });
  const isUnchanged = await throttle(response, caller.id, throttles);
  const isCurrent = !recalled || (isUnchanged && performance.now() < recalled.until);
  return isCurrent ? caller : authenticate(request, operation);
}
