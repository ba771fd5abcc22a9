import type { Request, Response } from 'express';
import type { Authenticate } from './authenticate.js';
import type { Caller } from './call.js';
import type { Guarded } from './require-scope.js';
import { throttle, type Throttle } from './throttle.js';

/**
 * Authenticates the caller, and counts the request. A caller that was seen a moment ago is looked
 * up again only if the count shows that it has changed, or cannot be made.
 */
export async function admitCaller(
  { request, response }: { request: Request; response: Response },
  operation: Guarded,
  ports: { authenticate: Authenticate; throttles: readonly [Throttle, Throttle?] },
): Promise<Caller> {
  const { authenticate, throttles } = ports;
  const recalled = authenticate.recall?.(request, operation);
  const caller = recalled ?? (await authenticate(request, operation));
  const { organizationId, openedBy } = caller;
  Object.assign(response.locals, { organizationId, ...openedBy });
  const isUnchanged = await throttle(response, caller.id, throttles);
  return recalled && !isUnchanged ? authenticate(request, operation) : caller;
}
