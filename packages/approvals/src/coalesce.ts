/** The same work, one at a time: whoever asks while it is being done shares the next turn with all others who do. */
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
