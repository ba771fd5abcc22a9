/** Runs the work one at a time: everyone who asks while it is running shares the next run. */
export function coalesce<T>(work: () => Promise<T>): () => Promise<T> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const turn = (): Promise<T> => {
    next = undefined;
    const done = work();
    current = done.catch(() => undefined);
    return done;
  };
  return () => (next ??= current.then(turn));
}
