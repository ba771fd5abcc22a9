import { useCallback, useSyncExternalStore } from 'react';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';

/** A part of the call's state; the component renders only when that part changes. */
export function useCallPart<T>(call: Call, part: (now: CallState) => T): T {
  const read = useCallback(() => part(call.now), [call, part]);
  return useSyncExternalStore(call.subscribe, read);
}
