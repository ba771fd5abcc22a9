import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely';

/**
 * Queries are written in camel case. Rows already arrive in camel case: a column is renamed once
 * (`round-trip.ts`), not once per row.
 */
class CamelCaseQueries extends CamelCasePlugin {
  override transformResult({ result }: PluginTransformResultArgs) {
    return Promise.resolve(result);
  }
}

export const plugins = [new CamelCaseQueries()];
