import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '@parley/testkit';

const program = join(import.meta.dirname, '../prune.mjs');
const linked = ['apps/api', 'packages/egress'];

const prune = (root: string) => promisify(execFile)(process.execPath, [program], { cwd: root });

async function built(files: string[]): Promise<string> {
  const root = await temporaryFolder();
  const folders = [...linked, 'apps/worker'].map((folder) => `${folder}/dist/x.js`);
  for (const file of [...files, ...folders]) {
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), '');
  }
  await mkdir(join(root, 'node_modules/@parley'), { recursive: true });
  for (const folder of linked)
    await symlink(join(root, folder), join(root, 'node_modules/@parley', folder.split('/')[1]!));
  return root;
}

describe('prune.mjs', () => {
  it('leaves what runs, of the packages that npm linked', async () => {
    const kept = [
      'package.json',
      'apps/api/package.json',
      'packages/egress/lua/x.lua',
      'packages/egress/node_modules/other/package.json',
      'node_modules/other/LICENSE',
      'node_modules/@font/files/x.woff2',
    ];
    const bundled = [
      'packages/egress/node_modules/other/types.d.mts',
      'node_modules/other/src/x.js.map',
      'node_modules/other/x.cjs',
      'node_modules/.bin/other',
    ];
    const inside = ['src/x.ts', 'test/x.ts', 'tsconfig.json', 'dist/.tsbuildinfo'];
    const types = ['dist/a/x.js.map', 'dist/a/x.d.ts'];
    const root = await built([
      ...kept,
      ...bundled,
      ...['package-lock.json', '.npmrc', 'apps/worker/package.json'],
      ...[...inside, ...types].map((file) => join('packages/egress', file)),
    ]);
    await prune(root);
    const left = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
      // Node 24 follows links, Node 20 does not.
      .filter((file) => !file.startsWith('node_modules/@parley/'));
    expect(left).to.have.members([...kept, ...linked.map((folder) => `${folder}/dist/x.js`)]);
  });

  it('refuses code that is for one platform alone', async () => {
    const root = await built(['node_modules/fast/build/fast.node']);
    const failure: unknown = await prune(root).catch((error: unknown) => error);
    expect(String(failure)).to.include('Not for every platform: node_modules/fast/build/fast.node');
  });
});
