/** A server process that belongs to one test, which may kill it. */
export type KillableServer = {
  readonly url: string;
  readonly port: number;
  /** The id of the current process, or of the last one. */
  readonly pid: number;
  /** Sends a signal. Resolves when the process is gone, unless the signal is SIGSTOP or SIGCONT. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /**
   * Restarts it on the same port and files, after SIGKILL if it is still running. Resolves when it
   * responds.
   */
  restart(): Promise<void>;
  stop(): Promise<void>;
};
