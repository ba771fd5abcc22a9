import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';

/**
 * One statement of the extended protocol. If it has a name, PostgreSQL keeps it on the connection,
 * and parses and plans it once.
 */
export type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name?: string | undefined;
};

export type Outcome = {
  readonly rows: Record<string, unknown>[];
  /** PostgreSQL's name for what it did, such as INSERT. */
  readonly command: string;
  readonly count: number;
};

const nothing: Outcome = { rows: [], command: '', count: 0 };

type Column = { readonly name: string; readonly parse: (text: string) => unknown };
type Described = { readonly name: string; readonly dataTypeID: number };

/** What pg passes to code that speaks the protocol itself, such as its cursors. */
type Wire = {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): void };
  readonly parsedStatements: Readonly<Record<string, string>>;
};

const [execute, sync] = [serialize.execute(), serialize.sync()];

const described = new WeakMap<Wire, Map<string, readonly Column[]>>();

/**
 * Several statements in one write, with one response. After the first failure, PostgreSQL skips the
 * rest. Outside a transaction, they form one of their own, which ends with them (Sync, in the terms
 * of the protocol).
 */
export class RoundTrip implements pg.Submittable {
  readonly #statements: readonly Statement[];
  #answered = 0;
  #last = nothing;
  #columns: readonly Column[] | undefined;
  #rows: Record<string, unknown>[] = [];
  #known = new Map<string, readonly Column[]>();
  /** For pg's own timeout, which calls it instead of a response. */
  callback: (error: Error | null, last?: Outcome) => void;

  /**
   * Resolves with the result of the last statement. Throws for a value that PostgreSQL cannot
   * accept.
   */
  constructor(
    statements: readonly Statement[],
    told: { resolve: (last: Outcome) => void; reject: (error: Error) => void },
  ) {
    this.#statements = statements.map((statement) => ({
      ...statement,
      values: statement.values.map(prepareValue),
    }));
    this.callback = (error, last = nothing) => {
      if (error) told.reject(error);
      else told.resolve(last);
    };
  }

  /**
   * The name of the statement that is being answered: pg uses it to track what PostgreSQL has
   * parsed.
   */
  get name(): string | undefined {
    return this.#statements[this.#answered]?.name;
  }

  get text(): string | undefined {
    return this.#statements[this.#answered]?.text;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    this.#known = described.get(wire) ?? new Map<string, readonly Column[]>();
    described.set(wire, this.#known);
    const sent = new Set<string>();
    const messages = this.#statements.flatMap(({ name = '', text, values }) => {
      const bind = serialize.bind({ statement: name, values: [...values] });
      if (name === '')
        return [serialize.parse({ text }), bind, serialize.describe({ type: 'P' }), execute];
      const isNew = !sent.has(name);
      sent.add(name);
      const isParsed = Object.hasOwn(wire.parsedStatements, name);
      return [
        ...(isNew && !isParsed ? [serialize.parse({ name, text })] : []),
        ...(isNew && !this.#known.has(name) ? [serialize.describe({ type: 'S', name })] : []),
        bind,
        execute,
      ];
    });
    // Sending one buffer is cheaper than sending many.
    if (wire.stream.writable) wire.stream.write(Buffer.concat([...messages, sync]));
  }

  handleRowDescription({ fields }: { fields: readonly Described[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name: camelCase(name),
      parse: parserFor(dataTypeID),
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    let n = 0;
    for (const { name, parse } of this.#columnsNow()) {
      const text = fields[n++] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this;
    if (name !== undefined) this.#known.set(name, this.#columnsNow());
    const words = text.split(' ');
    this.#last = { rows: this.#rows, command: words[0] ?? '', count: Number(words.at(-1)) || 0 };
    this.#answered += 1;
    this.#columns = undefined;
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#last);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  #columnsNow(): readonly Column[] {
    return this.#columns ?? this.#known.get(this.name ?? '') ?? [];
  }
}

const names = new Map<string, string>();

/** Called once per column of the schema. */
function camelCase(column: string): string {
  let name = names.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
    names.set(column, name);
  }
  return name;
}

const [int8, timestamptz] = [20, 1184];

/** Our counts and sequences stay far below 2^53, and JSON and arithmetic need numbers. */
function parserFor(oid: number): Column['parse'] {
  if (oid === int8) return Number;
  const ofText = pg.types.getTypeParser as (oid: number, format: 'text') => unknown;
  const parse = ofText(oid, 'text') as Column['parse'];
  return oid === timestamptz ? (text) => instantIn(text) ?? parse(text) : parse;
}

/**
 * A time in UTC as PostgreSQL writes it, such as 2026-11-17 12:00:00.5+00, which differs little from
 * what Date reads fastest. Undefined if it is written in another way.
 */
function instantIn(text: string): Date | undefined {
  if (text[10] !== ' ' || !text.endsWith('+00')) return undefined;
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
}
