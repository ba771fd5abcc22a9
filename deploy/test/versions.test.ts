import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

type Manifest = { version: string; dependencies?: Record<string, string> };

describe('the version', () => {
  const { version } = JSON.parse(read('package.json')) as Manifest;
  const workspaces = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}/package.json`),
  );

  it('is that of every workspace, and what they ask of each other', () => {
    for (const file of workspaces) {
      const manifest = JSON.parse(read(file)) as Manifest;
      const own = Object.entries(manifest.dependencies ?? {}).filter(([name]) =>
        name.startsWith('@parley/'),
      );
      expect([manifest.version, ...own.map(([, asked]) => asked)], file).to.deep.equal(
        Array.from({ length: own.length + 1 }, () => version),
      );
    }
  });

  it('is that of the chart, the images and the contract', () => {
    expect(parse(read('helm/parley/Chart.yaml'))).to.include({ version, appVersion: version });
    expect(read('deploy/Dockerfile')).to.include(`ARG VERSION=${version}\n`);
    expect(read('deploy/README.md'))
      .to.include(`--build-arg VERSION=${version} `)
      .and.include(`parley-admin:${version} `);
    expect(read('apps/api/src/api.ts')).to.include(`apiVersion = '${version}'`);
  });

  it('has a section with its date in the changelog', () => {
    expect(read('CHANGELOG.md')).to.match(
      new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'),
    );
  });
});
