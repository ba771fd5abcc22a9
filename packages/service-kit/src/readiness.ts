export type ReadinessState = 'starting' | 'ready' | 'draining';

export type Readiness = {
  readonly state: ReadinessState;
  /** Everything is up. Has no effect once the process is draining. */
  started(): void;
  /** The process is shutting down; this is final. */
  draining(): void;
};

/**
 * Started and not draining. A lost dependency does not count, because it would make every pod
 * unready at once.
 */
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
