/** A page of a list. */
export type Page<Item> = {
  /** In the list's order. */
  items: Item[];
  /** Total number of items. */
  total: number;
  /** Number of items before this page. */
  offset: number;
  /** Maximum number of items per page. */
  limit: number;
};

type Place = { offset?: number | undefined; limit?: number | undefined };
type ReadPage<Item> = (place: Place) => Promise<Page<Item>>;

/**
 * A list. Await it for one page, `const { items, total } = await parley.agents.list()`, or loop
 * over all items, `for await (const agent of parley.agents.list())`; pages are fetched as needed.
 * Items that disappear while you loop, because you decide or delete them, do not cause others to be
 * skipped.
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

  /** All items, fetched page by page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item> {
    return this.#items();
  }

  /**
   * Each page starts with the last item of the previous one. If it starts with another item,
   * earlier items have disappeared and the rest has moved up; then go back to an item that is
   * known.
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

/** An audit record has no id, only its sequence. */
function keyOf(item: unknown): unknown {
  const { id, sequence } = item as { id?: unknown; sequence?: unknown };
  return id ?? sequence;
}
