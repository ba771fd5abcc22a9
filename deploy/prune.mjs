// Keeps only what runs in the image: the packages that npm linked for the app, without sources,
// tests, types and build records. Of other packages, which are bundled, the manifests, licenses and
// assets stay.
import { existsSync, readdirSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
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

// One build serves every platform.
const native = readdirSync('.', { recursive: true }).filter((file) => file.endsWith('.node'));
if (native.length > 0) throw new Error(`Not for every platform: ${native.join(', ')}`);

removeCode('node_modules');
for (const group of ['packages', 'apps'])
  for (const name of readdirSync(group)) {
    const folder = realpathSync(join(group, name));
    if (linked.has(folder)) strip(folder);
    else remove(folder);
  }
for (const file of ['package-lock.json', 'tsconfig.base.json', 'prune.mjs', '.npmrc', 'scripts'])
  remove(file);

function strip(folder) {
  for (const each of leftovers) remove(join(folder, each));
  removeCode(join(folder, 'node_modules'));
  for (const file of readdirSync(`${folder}/dist`, { recursive: true }))
    if (/\.(d\.ts|map)$/.test(file)) remove(`${folder}/dist/${file}`);
}

/** Does not follow the links to our own packages, and leaves no empty folders. */
function removeCode(folder) {
  if (!existsSync(folder)) return;
  remove(join(folder, '.bin'));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeCode(path);
    else if (entry.isFile() && /\.(?:[cm]?[jt]s|map)$/.test(entry.name)) remove(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}
