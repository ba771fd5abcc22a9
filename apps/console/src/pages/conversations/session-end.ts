const endings: ReadonlyMap<string, string> = new Map([
  ['Normal', 'Ended normally'],
  ['ServiceRestart', 'Ended by a restart of the service'],
  ['SlowConsumer', 'Ended because the caller’s connection was too slow'],
  ['MaxSessionDuration', 'Ended at its longest duration'],
  ['IdleTimeout', 'Ended because nothing was said for too long'],
  ['SessionRevoked', 'Ended by somebody here'],
  ['QuotaReached', 'Ended because a quota was used up'],
  ['ProviderUnavailable', 'Ended because the model provider failed'],
  ['ProviderConnectTimeout', 'Ended because the model provider did not answer'],
  ['InternalError', 'Ended by a failure of the service'],
  ['lost', 'Lost with the instance that held it'],
]);

/** Why a session ended, as a sentence; a reason that is new here keeps its own name. */
export function endingText(reason: string | null): string {
  return endings.get(reason ?? '') ?? `Ended: ${reason ?? 'for a reason that was not recorded'}`;
}
