type Row<Route> = { readonly bytes: Buffer; readonly route: Route };

/**
 * Routes by event type. Types are compared as bytes, so a known type is never decoded to a string.
 */
export class TypeTable<Route extends string> {
  readonly #byText: ReadonlyMap<string, Route>;
  readonly #byLength: Row<Route>[][] = [];

  constructor(events: Readonly<Record<string, Route>>) {
    this.#byText = new Map(Object.entries(events));
    for (const [type, route] of this.#byText) {
      const bytes = Buffer.from(type);
      (this.#byLength[bytes.length] ??= []).push({ bytes, route });
    }
  }

  /**
   * The route of the type between these quotes; undefined if the table does not contain it as
   * written.
   */
  written(data: Buffer, start: number, end: number): Route | undefined {
    const rows = this.#byLength[end - start - 1];
    if (rows === undefined) return undefined;
    for (const { bytes, route } of rows) {
      // Compares from the end, where types differ.
      let at = bytes.length - 1;
      while (at >= 0 && bytes[at] === data[start + 1 + at]) at -= 1;
      if (at < 0) return route;
    }
    return undefined;
  }

  /** The route of a type that may be written with escapes. */
  of(type: string): Route | undefined {
    return this.#byText.get(type);
  }
}
