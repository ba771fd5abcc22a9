import type { Compilable, CompiledQuery, RawBuilder, Transaction } from 'kysely';
import type { Named } from './pipelined-driver.js';
import type { Statement } from './round-trip.js';
import type { Schema } from './schema.js';
import { connectionOf, writer } from './transaction.js';

/**
 * A query that is compiled once per process, and kept by PostgreSQL on each connection. For queries
 * that every request needs.
 */
export type Prepared<Parameters, Row> = {
  readonly name: string;
  with(parameters: Parameters): Statement;
  /** Runs in an open transaction. */
  run(trx: Transaction<Schema>, parameters: Parameters): Promise<Row[]>;
  /**
   * Runs with the next statement of the transaction, or with its commit at the latest. If it fails,
   * so does the commit.
   */
  later(trx: Transaction<Schema>, parameters: Parameters): Promise<void>;
};

/** The placeholder of a parameter in the query. */
class Place {
  constructor(readonly name: string) {}
}

/** `build` gets a placeholder for each parameter, and must not inspect it. */
export function prepare<Parameters extends object>() {
  return <Row>(
    name: string,
    build: (db: Transaction<Schema>, parameters: Parameters) => Compilable<Row>,
  ): Prepared<Parameters, Row> => {
    let compiled: CompiledQuery<Row> | undefined;
    const query = () => {
      const places = new Proxy({} as Parameters, { get: (_, key) => new Place(String(key)) });
      // Only compiles: nothing is executed here, inside or outside a transaction.
      return build(writer as Transaction<Schema>, places).compile();
    };
    const filled = (parameters: Parameters): Statement => {
      const { sql: text, parameters: places } = (compiled ??= query());
      const values = places.map((value) =>
        value instanceof Place ? (Reflect.get(parameters, value.name) as unknown) : value,
      );
      return { name, text, values };
    };
    return {
      name,
      with: filled,
      async run(trx, parameters) {
        const { values } = filled(parameters);
        const named: Named = { ...(compiled ??= query()), parameters: values, name };
        return (await trx.executeQuery(named)).rows as Row[];
      },
      later(trx, parameters) {
        connectionOf(trx).later(filled(parameters));
        return Promise.resolve();
      },
    };
  };
}

/** For a handwritten statement. */
export function raw<Row>(text: RawBuilder<Row>) {
  return (db: Transaction<Schema>): Compilable<Row> => ({ compile: () => text.compile(db) });
}
