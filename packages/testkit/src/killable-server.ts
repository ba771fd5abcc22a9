/** A server process of a test's own, to be hurt. */
export interface KillableServer {
  readonly url: string;
  readonly port: number;
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** Sends a signal; unless it is SIGSTOP or SIGCONT, resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port and files, after SIGKILL if it still runs. Resolves when it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}
