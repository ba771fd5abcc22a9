import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '@parley/testkit';

const prune = join(import.meta.dirname, '../prune.mjs');

describe('prune.mjs', () => {
  it('leaves what runs, of the packages that npm linked', async () => {
    const root = await temporaryFolder();
    const files = [
      'package.json',
      'package-lock.json',
      '.npmrc',
      ...['apps/api', 'apps/worker', 'packages/egress'].flatMap((folder) =>
        ['package.json', 'src/x.ts', 'dist/x.js', 'dist/a/x.js.map', 'dist/a/x.d.ts'].map((file) =>
          join(folder, file),
        ),
      ),
      'packages/egress/lua/x.lua',
      'packages/egress/node_modules/other/types.d.ts',
    ];
    for (const file of files) {
      await mkdir(join(root, dirname(file)), { recursive: true });
      await writeFile(join(root, file), '');
    }
    await mkdir(join(root, 'node_modules/@parley'), { recursive: true });
    for (const name of ['apps/api', 'packages/egress'])
      await symlink(join(root, name), join(root, 'node_modules/@parley', name.split('/')[1]!));
    await promisify(execFile)(process.execPath, [prune], { cwd: root });
    const left = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
    expect(left).to.have.members([
      'package.json',
      'apps/api/package.json',
      'apps/api/dist/x.js',
      'packages/egress/package.json',
      'packages/egress/dist/x.js',
      'packages/egress/lua/x.lua',
      'packages/egress/node_modules/other/types.d.ts',
    ]);
  });
});
