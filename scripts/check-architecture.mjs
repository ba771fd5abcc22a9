// Fails if an import breaks the layering or closes a cycle. The table below lists the layers: a
// folder may import the folders in its row (and itself), and none of our others.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
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
  'provider-simulator': ['protocol', 'service-kit'],
  admin: [...appMayImport, 'embedded'],
  console: ['protocol', 'client'],
  standalone: [
    ...appMayImport,
    'embedded',
    'api',
    'realtime-gateway',
    'worker',
    'provider-simulator',
    'admin',
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

const sources = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).flatMap((name) => filesBelow(join(root, group, name, 'src'))),
);
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

function exportedBy(name, path) {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json')));
  return `.${path}` in exports;
}

function checkFolder({ from, target }) {
  const ours = target.startsWith('@parley/') || target.startsWith('.');
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
