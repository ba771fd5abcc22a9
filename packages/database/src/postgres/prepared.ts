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

/** A query that is compiled once in the life of the process, and kept by PostgreSQL on each connection. For what every request needs. */
export type Prepared<Parameters, Row> = {
  readonly name: string;
  with(parameters: Parameters): Statement;
  /** In a transaction that is open. */
  run(trx: Transaction<Schema>, parameters: Parameters): Promise<Row[]>;
  /** As the first of a transaction, if that asks anything at all. */
  first(trx: Transaction<Schema>, parameters: Parameters): Promise<void>;
  /** With the next statement of the transaction, at the latest with its commit, which it fails if it fails. */
  later(trx: Transaction<Schema>, parameters: Parameters): Promise<void>;
};

/** Stands in the query where a parameter will. */
class Place {
  constructor(readonly name: string) {}
}

const writer = new Kysely<Schema>({ dialect: pipelinedDialect(new DummyDriver()), plugins });

/** `build` gets a place for each parameter, and must not look at it. */
export function prepare<Parameters extends object>() {
  return <Row>(
    name: string,
    build: (db: Transaction<Schema>, parameters: Parameters) => Compilable<Row>,
  ): Prepared<Parameters, Row> => {
    let compiled: CompiledQuery<Row> | undefined;
    const query = () => {
      const places = new Proxy({} as Parameters, { get: (_, key) => new Place(String(key)) });
      // Nothing is executed here, in a transaction or outside.
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

/** For a statement that is written by hand. */
export function raw<Row>(text: RawBuilder<Row>) {
  return (db: Transaction<Schema>): Compilable<Row> => ({ compile: () => text.compile(db) });
}
