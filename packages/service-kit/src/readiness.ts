export type ReadinessState = 'starting' | 'ready' | 'draining';

export interface Readiness {
  readonly state: ReadinessState;
  /** Everything is up. Without effect once the process drains. */
  started(): void;
  /** The process is going away; there is no way back. */
  draining(): void;
}

/** Started and not draining. A lost dependency does not count: it would take every pod away at once. */
export function createReadiness(): Readiness {
  let state: ReadinessState = 'starting';
  return {
    get state() {
      return state;
    },
    started() {
      if (state === 'starting') state = 'ready';
    },
    draining() {
      state = 'draining';
    },
  };
}
