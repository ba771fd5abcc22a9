import { Problem, RealtimeError, type OrganizationOperation } from '@parley/protocol';
import type { Caller } from './call.js';

/** The parts of an operation that determine who may call it. */
export type Guarded = Pick<
  OrganizationOperation,
  'method' | 'scope' | 'furtherScopes' | 'orScopes' | 'role' | 'realtimeErrors' | 'query'
> &
  Partial<Pick<OrganizationOperation, 'success'>>;

/**
 * A key without the scope gets a 403, unless the realtime operation has its own error for that,
 * which comes last.
 */
export function requireScope(caller: Caller, operation: Guarded): void {
  const { scope, furtherScopes = [], orScopes = [] } = operation;
  if (orScopes.some((name) => caller.scopes.includes(name))) return;
  const lacking = [scope, ...furtherScopes].find((name) => !caller.scopes.includes(name));
  if (lacking === undefined || isRealtimeError(operation)) return;
  throw new Problem('scope-missing', `The key lacks the scope '${lacking}'.`);
}

export function requireRealtimeScope(caller: Caller, operation: Guarded): void {
  if (caller.scopes.includes(operation.scope) || !isRealtimeError(operation)) return;
  throw new RealtimeError('RealtimeNotEnabled', 'The API key lacks the scope realtime.');
}

function isRealtimeError({ realtimeErrors }: Guarded): boolean {
  return realtimeErrors?.includes('RealtimeNotEnabled') === true;
}
