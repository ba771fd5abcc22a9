export type Span = { readonly from: number; readonly to: number };

/**
 * Finds every occurrence of many phrases in one pass over a text: no text and no phrases make it
 * slower than that. An automaton (Aho-Corasick) finds the phrases. To keep it small, it only holds
 * the start of a long phrase, and the rest is a chain of blocks of equal length. So a text that
 * starts like a long phrase is found as far as blocks follow, even if it is not the whole phrase.
 */
export class PhraseSearch {
  readonly #block: number;
  readonly #blocks = new Set<string>();
  /** By character, then by state: the state that follows. */
  readonly #edges = new Map<number, Map<number, number>>();
  /** For each state, the one that has read the longest end of the same text. */
  readonly #fallbacks = [0];
  /** For each state, how long the longest start is that ends here; 0 means that none does. */
  readonly #lengths = [0];
  /** States in which the start of a long phrase ends. */
  readonly #goingOn = new Set<number>();

  constructor(phrases: Iterable<string>, block = 64) {
    this.#block = block;
    const starts = new Map<string, boolean>();
    for (const phrase of phrases) {
      const isLong = phrase.length >= 2 * block;
      const length = isLong ? block + (phrase.length % block) : phrase.length;
      const start = phrase.slice(0, length);
      starts.set(start, isLong || starts.get(start) === true);
      for (let n = length; n < phrase.length; n += block)
        this.#blocks.add(phrase.slice(n, n + block));
    }
    this.#addAll(starts);
  }

  /** In order; those that overlap are one. */
  find(text: string): Span[] {
    const spans: Span[] = [];
    const followed = new Uint8Array(this.#blocks.size > 0 ? text.length : 0);
    let state = 0;
    for (let n = 0; n < text.length; n += 1) {
      state = this.#after(state, text.charCodeAt(n));
      const length = this.#lengths[state] ?? 0;
      if (length === 0) continue;
      const end = n + 1;
      const to = this.#goingOn.has(state) ? this.#follow(text, end, followed) : end;
      add(spans, { from: end - length, to });
    }
    return spans;
  }

  /**
   * All starts grow by one character at a time: a state's fallback is shorter, and thus complete.
   */
  #addAll(starts: ReadonlyMap<string, boolean>): void {
    let growing = [...starts].map(([start, goesOn]) => ({ start, goesOn, state: 0 }));
    for (let depth = 0; growing.length > 0; depth += 1) {
      growing = growing.filter(({ start }) => start.length > depth);
      for (const one of growing) {
        one.state = this.#grow(one.state, one.start.charCodeAt(depth));
        if (one.start.length > depth + 1) continue;
        this.#lengths[one.state] = one.start.length;
        if (one.goesOn) this.#goingOn.add(one.state);
      }
    }
  }

  #grow(state: number, character: number): number {
    let edges = this.#edges.get(character);
    if (!edges) this.#edges.set(character, (edges = new Map<number, number>()));
    const known = edges.get(state);
    if (known !== undefined) return known;
    const fallback = state === 0 ? 0 : this.#after(this.#fallbacks[state] ?? 0, character);
    const grown = this.#fallbacks.push(fallback) - 1;
    this.#lengths.push(this.#lengths[fallback] ?? 0);
    if (this.#goingOn.has(fallback)) this.#goingOn.add(grown);
    edges.set(state, grown);
    return grown;
  }

  #after(state: number, character: number): number {
    const edges = this.#edges.get(character);
    if (!edges) return 0;
    let from = state;
    let next = edges.get(from);
    while (next === undefined && from !== 0) {
      from = this.#fallbacks[from] ?? 0;
      next = edges.get(from);
    }
    return next ?? 0;
  }

  /** Where the blocks from here on end. A block that was followed before is part of a span. */
  #follow(text: string, from: number, followed: Uint8Array): number {
    let to = from;
    while (followed[to] === 0 && this.#blocks.has(text.slice(to, to + this.#block))) {
      followed[to] = 1;
      to += this.#block;
    }
    return to;
  }
}

function add(spans: Span[], { from, to }: Span): void {
  let whole = { from, to };
  for (let last = spans.at(-1); last && last.to > whole.from; last = spans.at(-1)) {
    whole = { from: Math.min(last.from, whole.from), to: Math.max(last.to, whole.to) };
    spans.pop();
  }
  spans.push(whole);
}
