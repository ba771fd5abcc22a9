/** A page of a list. */
export type Page<Item> = {
  /** In the list's order. */
  items: Item[];
  /** How many items there are in all. */
  total: number;
  /** How many come before these. */
  offset: number;
  /** How many a page has at most. */
  limit: number;
};

type Place = { offset?: number | undefined; limit?: number | undefined };
type ReadPage<Item> = (place: Place) => Promise<Page<Item>>;

/**
 * A list. Await it for one page, `const { items, total } = await parley.agents.list()`, or loop over all its items,
 * `for await (const agent of parley.agents.list())`: pages are read as they are needed. Items that go away while you loop, because you decide or
 * delete them, make it miss none of the others.
 */
export class Listing<Item> implements Promise<Page<Item>>, AsyncIterable<Item> {
  /** @internal */
  readonly [Symbol.toStringTag] = 'Listing';
  readonly #read: ReadPage<Item>;
  readonly #place: Place;
  #page: Promise<Page<Item>> | undefined;

  /** @internal */
  constructor(read: ReadPage<Item>, place: Place) {
    this.#read = read;
    this.#place = place;
  }

  /** @internal */
  then<A = Page<Item>, B = never>(
    onFulfilled?: ((page: Page<Item>) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#page ??= this.#read(this.#place);
    return this.#page.then(onFulfilled, onRejected);
  }

  /** @internal */
  catch<B = never>(
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<Page<Item> | B> {
    return this.then(undefined, onRejected);
  }

  /** @internal */
  finally(onFinally?: (() => void) | null): Promise<Page<Item>> {
    return this.then().finally(onFinally);
  }

  /** All items, the pages being read one after the other. */
  [Symbol.asyncIterator](): AsyncGenerator<Item> {
    return this.#items();
  }

  /**
   * Each page begins with the last item of the one before. If another one is there, items before it went away and the rest moved up: then it goes
   * back to where something is known.
   */
  async *#items(): AsyncGenerator<Item> {
    const start = this.#place.offset ?? 0;
    const limit = this.#place.limit && Math.max(2, this.#place.limit);
    const seen = new Set<unknown>();
    let offset = start;
    for (;;) {
      const page = await this.#read({ offset, limit });
      const [first] = page.items;
      if (offset > start && (first === undefined || !seen.has(keyOf(first)))) {
        offset = Math.max(start, offset - page.limit);
        continue;
      }
      for (const item of page.items) {
        if (seen.has(keyOf(item))) continue;
        seen.add(keyOf(item));
        yield item;
      }
      const { length } = page.items;
      if (length === 0 || offset + length >= page.total) return;
      offset += Math.max(1, length - 1);
    }
  }
}

/** An audit record has no id but its place. */
function keyOf(item: unknown): unknown {
  const { id, sequence } = item as { id?: unknown; sequence?: unknown };
  return id ?? sequence;
}
