import type { Connection } from '@parley/client/server';
import type { Option } from '../../parts/fields.js';

/** The connections to choose from, and the chosen one even if it is not listed. */
export function connectionOptions(
  connections: readonly Connection[],
  chosen: string | null,
): readonly Option<string>[] {
  const listed = connections.map(({ id, name, enabled }) => ({
    value: id,
    label: enabled ? name : `${name} (switched off)`,
  }));
  const isListed = chosen === null || connections.some(({ id }) => id === chosen);
  return isListed ? listed : [...listed, { value: chosen, label: chosen }];
}
