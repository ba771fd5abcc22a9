// Fails if an import breaks the layering or closes a cycle, or if a package.json lists other packages
// of ours than are imported. The table below lists the layers: a folder may import the folders in its
// row (and itself), and none of our others.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const adapters = [
  'agent-runtime',
  'providers',
  'approvals',
  'session-store',
  'database',
  'file-store',
  'egress',
  'issuing',
  'parts',
];
const appMayImport = ['protocol', 'service-kit', ...adapters];
const layers = {
  protocol: [],
  client: [],
  docs: ['protocol'],
  'service-kit': [],
  embedded: [],
  egress: [],
  database: ['protocol'],
  'file-store': ['protocol', 'database'],
  'session-store': ['protocol'],
  providers: ['protocol', 'egress'],
  approvals: ['protocol', 'session-store', 'database'],
  issuing: ['protocol', 'providers', 'session-store', 'database'],
  'agent-runtime': ['protocol', 'providers', 'approvals', 'session-store', 'database', 'egress'],
  parts: ['service-kit', 'database', 'session-store', 'providers', 'egress'],
  testkit: [...appMayImport, 'embedded'],
  api: [...appMayImport, 'docs', 'client'],
  'realtime-gateway': appMayImport,
  worker: appMayImport,
  'provider-simulator': ['service-kit'],
  admin: [...appMayImport, 'embedded'],
  console: ['client'],
  standalone: [
    ...appMayImport,
    'embedded',
    'api',
    'realtime-gateway',
    'worker',
    'provider-simulator',
  ],
};
const folderRules = [
  {
    folder: 'apps/realtime-gateway/src/core',
    allowed: (target) =>
      target === '@parley/protocol' || target.startsWith('apps/realtime-gateway/src/core/'),
    advice: 'The core is pure: pass what it needs in an input, and answer with an effect.',
  },
  {
    folder: 'packages/client/src/core',
    allowed: (target) =>
      target.startsWith('packages/client/src/core/') ||
      /^packages\/client\/src\/session\/(conversation|player|session-events)\.js$/.test(target),
    advice: 'The core is pure: pass what it needs in an input, and answer with an effect.',
  },
  {
    folder: 'packages/client/src/server',
    allowed: (target) =>
      target.startsWith('packages/client/src/server/') ||
      target === 'packages/client/src/errors.js',
    advice: 'What a backend installs is not what a page installs.',
  },
];

const root = resolve(import.meta.dirname, '..');
const problems = [];

const folders = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(root, group, name)),
);
const sources = folders.flatMap((folder) => filesBelow(join(folder, 'src')));
const imports = new Map(sources.map((file) => [file, importsOf(file)]));

for (const [file, targets] of imports) {
  const from = relative(root, file);
  const owner = from.split('/')[1];
  if (!(owner in layers))
    problems.push(`${from}: '${owner}' has no row in scripts/check-architecture.mjs; add one.`);
  for (const target of targets) {
    checkLayer({ from, owner, target });
    checkFolder({ from, target });
  }
}
for (const folder of folders) checkDependencies(folder);
for (const cycle of cycles())
  problems.push(
    `cycle: ${cycle.map((file) => relative(root, file)).join(' -> ')}. Move what both need into a third file.`,
  );

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`architecture: ${sources.length} files, no forbidden import, no cycle`);

function checkLayer({ from, owner, target }) {
  const match = /^@parley\/([^/]+)(\/.*)?$/.exec(target);
  if (!match) return;
  if (match[2] && !exportedBy(match[1], match[2]))
    problems.push(
      `${from}: imports '${target}'. Import what the package exports; the rest is its own.`,
    );
  if (match[1] !== owner && !layers[owner]?.includes(match[1]))
    problems.push(
      `${from}: '${owner}' may not import '${match[1]}'. Imports go apps -> adapters -> protocol; ` +
        `move the shared part down, or pass it in from the composition root.`,
    );
}

/** Tests may import more than is listed: they find it in the workspace. */
function checkDependencies(folder) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json')));
  const listed = Object.keys({ ...dependencies, ...devDependencies }).filter(isOurs);
  const files = ['src', 'test'].flatMap((part) => filesBelow(join(folder, part)));
  const named = new Set(files.flatMap(packagesNamedIn));
  const imported = new Set(
    filesBelow(join(folder, 'src')).flatMap((file) => imports.get(file).filter(isOurs).map(nameOf)),
  );
  const place = join(relative(root, folder), 'package.json');
  for (const name of listed)
    if (!named.has(name)) problems.push(`${place}: nothing imports '${name}'. Remove it.`);
  for (const name of imported)
    if (!listed.includes(name) && name !== `@parley/${basename(folder)}`)
      problems.push(`${place}: 'src' imports '${name}', which is not listed.`);
}

/** Also packages that are only resolved, for the files in them. */
function packagesNamedIn(file) {
  return readFileSync(file, 'utf8').match(/(?<=')@parley\/[\w-]+/g) ?? [];
}

function isOurs(target) {
  return target.startsWith('@parley/');
}

function nameOf(target) {
  return target.split('/', 2).join('/');
}

function exportedBy(name, path) {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json')));
  return `.${path}` in exports;
}

function checkFolder({ from, target }) {
  const ours = isOurs(target) || target.startsWith('.');
  for (const rule of folderRules) {
    if (!from.startsWith(`${rule.folder}/`)) continue;
    const resolved = target.startsWith('.')
      ? relative(root, resolve(root, dirname(from), target))
      : target;
    if ((ours || target.startsWith('node:')) && !rule.allowed(resolved))
      problems.push(`${from}: imports '${target}'. ${rule.advice}`);
  }
}

function cycles() {
  const found = [];
  const done = new Set();
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0) return void found.push([...path.slice(at), file]);
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) {
      if (!target.startsWith('.')) continue;
      visit(resolve(dirname(file), target).replace(/\.js$/, '.ts'), [...path, file]);
    }
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

function importsOf(file) {
  return ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.map((i) => i.fileName);
}

function filesBelow(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
  return entries.filter((name) => /\.tsx?$/.test(name)).map((name) => join(folder, name));
}
