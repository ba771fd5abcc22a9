export class Listeners<Detail = void> {
  readonly #all = new Set<(detail: Detail) => void>();

  /** Returns what removes it. */
  add(listener: (detail: Detail) => void): () => void {
    const own = (detail: Detail) => listener(detail);
    this.#all.add(own);
    return () => this.#all.delete(own);
  }

  tell(detail: Detail): void {
    for (const listener of this.#all) listener(detail);
  }
}
