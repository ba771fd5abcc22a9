// npm run build: compiles the projects that are named, or all of them, and bundles what browsers and
// processes load.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/**
 * The browser bundles, built after the compiler: the client's first, because the console includes
 * it.
 */
export const bundles = [
  join(root, 'packages/client/bundle.mjs'),
  join(root, 'apps/console/bundle.mjs'),
];

/** TypeScript 7, which is a native program; version 6 is there for tools that need its API. */
export function compiler() {
  try {
    const manifest = createRequire(import.meta.url).resolve('typescript-7/package.json');
    return join(dirname(manifest), 'bin/tsc');
  } catch {
    console.error('The dependencies are not installed: run npm ci first.');
    process.exit(1);
  }
}

export function build(...projects) {
  const steps = [
    [compiler(), '-b', ...projects.map((project) => join(root, project))],
    ...bundles.map((bundle) => [bundle]),
    [join(root, 'scripts/bundle.mjs')],
  ];
  for (const step of steps) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

if (process.argv[1] === import.meta.filename) build(...process.argv.slice(2));
