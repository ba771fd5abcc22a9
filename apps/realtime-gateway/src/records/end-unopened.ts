import type { Outcome } from '@parley/database';
import { closeCodes, type CloseName } from '@parley/protocol';
import type { SessionRecorder } from '../ports.js';

/** Ends a session that is in the record, but was never opened: nothing was relayed in it. */
export function endUnopened(
  recorder: Pick<SessionRecorder, 'end'>,
  reason: CloseName | 'ClientGone',
  onSettled?: (outcome: Outcome) => void,
): void {
  const closeCode = reason === 'ClientGone' ? 1006 : closeCodes[reason].code;
  recorder.end({ reason, closeCode, bytesFromClient: 0, bytesFromProvider: 0 }, onSettled);
}
