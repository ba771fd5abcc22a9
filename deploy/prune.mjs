// Keeps only what runs in the image: the packages that npm linked for the app, without sources,
// tests, types and build records.
import { readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const linked = new Set(
  readdirSync('node_modules/@parley').map((name) =>
    realpathSync(join('node_modules/@parley', name)),
  ),
);
const leftovers = [
  'src',
  'test',
  'examples',
  'public',
  'index.html',
  'tsconfig.json',
  'vite.config.mjs',
  'bundle.mjs',
  'dist/.tsbuildinfo',
];

for (const group of ['packages', 'apps'])
  for (const name of readdirSync(group)) {
    const folder = realpathSync(join(group, name));
    if (linked.has(folder)) strip(folder);
    else remove(folder);
  }
for (const file of ['package-lock.json', 'tsconfig.base.json', 'prune.mjs', '.npmrc', 'scripts'])
  remove(file);

// One build serves every platform.
const native = readdirSync('.', { recursive: true }).filter((file) => file.endsWith('.node'));
if (native.length > 0) throw new Error(`Not for every platform: ${native.join(', ')}`);

function strip(folder) {
  for (const each of leftovers) remove(join(folder, each));
  for (const file of readdirSync(`${folder}/dist`, { recursive: true }))
    if (/\.(d\.ts|map)$/.test(file)) remove(`${folder}/dist/${file}`);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
