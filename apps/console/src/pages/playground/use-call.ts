import { useCallback, useSyncExternalStore } from 'react';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';

/** A part of what the call shows: who uses it renders only when that part has changed. */
export function useCallPart<T>(call: Call, part: (now: CallState) => T): T {
  const read = useCallback(() => part(call.now), [call, part]);
  return useSyncExternalStore(call.subscribe, read);
}
