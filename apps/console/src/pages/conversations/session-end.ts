const endings: ReadonlyMap<string, string> = new Map([
  ['Normal', 'Ended normally'],
  ['ServiceRestart', 'Ended by a restart of the service'],
  ['SlowConsumer', 'Ended because the caller’s connection was too slow'],
  ['MaxSessionDuration', 'Ended at the maximum duration'],
  ['IdleTimeout', 'Ended because nobody spoke for too long'],
  ['SessionRevoked', 'Ended by a member or an API key'],
  ['QuotaReached', 'Ended because a quota was used up'],
  ['ProviderUnavailable', 'Ended because the model provider failed'],
  ['ProviderConnectTimeout', 'Ended because the model provider did not respond'],
  ['InternalError', 'Ended by a failure of the service'],
  ['lost', 'Lost because its instance failed'],
]);

/** Why a session ended, as text; unknown reasons are shown by name. */
export function endingText(reason: string | null): string {
  return endings.get(reason ?? '') ?? `Ended: ${reason ?? 'for a reason that was not recorded'}`;
}
