type Listener = (detail: never) => void;

/**
 * Event listeners by type. A listener that throws does not affect the others; its error surfaces as
 * an uncaught one.
 */
export class Listeners {
  readonly #byType = new Map<string, Set<Listener>>();

  add(type: string, listener: Listener): () => void {
    const listeners = this.#byType.get(type) ?? new Set();
    this.#byType.set(type, listeners.add(listener));
    return () => {
      listeners.delete(listener);
    };
  }

  has(type: string): boolean {
    return (this.#byType.get(type)?.size ?? 0) > 0;
  }

  tell(type: string, detail: unknown): void {
    for (const listener of [...(this.#byType.get(type) ?? [])])
      try {
        listener(detail as never);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
  }
}
