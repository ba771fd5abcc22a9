import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { chart, type Values } from './chart.js';

type Schema = { $ref?: string; properties?: Record<string, Schema>; definitions?: unknown };

/** What is open to more than the defaults show. */
const open = /^(global|settings|.+\.pod|.+\.resources)$/;

describe('values.yaml', () => {
  const read = (file: string) => readFileSync(join(chart, file), 'utf8');
  const schema = JSON.parse(read('values.schema.json')) as Schema & {
    definitions: Record<string, Schema>;
  };

  const resolved = (node: Schema): Schema =>
    node.$ref === undefined ? node : schema.definitions[node.$ref.replace('#/definitions/', '')]!;

  const missing = (node: Schema, values: unknown, path: string[]): string[] => {
    if (open.test(path.join('.'))) return [];
    return Object.entries(resolved(node).properties ?? {}).flatMap(([name, child]) => {
      const at = [...path, name];
      if (open.test(at.join('.'))) return [];
      if (!Object.hasOwn(values as Values, name)) return [at.join('.')];
      return missing(child, (values as Values)[name], at);
    });
  };

  it('has a default, and so a line in the README, for everything that the schema admits', () => {
    expect(missing(schema, parse(read('values.yaml')), [])).to.deep.equal([]);
  });
});
