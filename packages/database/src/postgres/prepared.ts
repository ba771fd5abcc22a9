import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  type Compilable,
  type CompiledQuery,
  type Transaction,
} from 'kysely';
import { pipelinedDialect, sending, type Sent } from './pipelined-driver.js';
import { plugins } from './plugins.js';
import type { Statement } from './round-trip.js';
import type { Schema } from './schema.js';

/**
 * A query that is compiled once per process, and kept by PostgreSQL on each connection. For queries
 * that every request needs.
 */
export type Prepared<Parameters, Row> = {
  readonly name: string;
  with(parameters: Parameters): Statement;
  /** Runs in an open transaction. */
  run(trx: Transaction<Schema>, parameters: Parameters): Promise<Row[]>;
  /** Runs as the first statement of a transaction, if that sends any. */
  first(trx: Transaction<Schema>, parameters: Parameters): Promise<void>;
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

const writer = new Kysely<Schema>({ dialect: pipelinedDialect(new DummyDriver()), plugins });

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
      return (compiled ??= build(writer as Transaction<Schema>, places).compile());
    };
    const filled = (parameters: Parameters) =>
      query().parameters.map((value) =>
        value instanceof Place ? (Reflect.get(parameters, value.name) as unknown) : value,
      );
    const sent = (parameters: Parameters, later?: 'setting' | 'change'): Sent => ({
      ...query(),
      parameters: filled(parameters),
      [sending]: { name, ...(later && { later }) },
    });
    return {
      name,
      with: (parameters) => ({ name, text: query().sql, values: filled(parameters) }),
      run: async (trx, parameters) => (await trx.executeQuery(sent(parameters))).rows as Row[],
      async first(trx, parameters) {
        await trx.executeQuery(sent(parameters, 'setting'));
      },
      async later(trx, parameters) {
        await trx.executeQuery(sent(parameters, 'change'));
      },
    };
  };
}

/** For a handwritten statement. */
export function raw<Row>(text: RawBuilder<Row>) {
  return (db: Transaction<Schema>): Compilable<Row> => ({ compile: () => text.compile(db) });
}
