import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely';

/** Queries are written in camel case. Rows come in it: a column is renamed once (`round-trip.ts`), not once for each row. */
class CamelCaseQueries extends CamelCasePlugin {
  override transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}

export const plugins = [new CamelCaseQueries()];
