// Builds what one app needs, and prints a message only if it takes long.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/**
 * The browser bundles, built after the compiler: the client's first, because the console includes
 * it.
 */
export const bundles = [
  join(root, 'packages/client/bundle.mjs'),
  join(root, 'apps/console/bundle.mjs'),
];

export function build(app) {
  const require = createRequire(import.meta.url);
  let compiler;
  try {
    compiler = require.resolve('typescript/bin/tsc');
  } catch {
    console.error('The dependencies are not installed: run npm ci first.');
    process.exit(1);
  }
  const { status } = spawnSync(process.execPath, [compiler, '-b', join(root, 'apps', app)], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  for (const bundle of [...bundles, join(root, 'scripts/bundle.mjs')]) {
    const bundled = spawnSync(process.execPath, [bundle], { stdio: 'inherit' });
    if (bundled.status !== 0) process.exit(bundled.status ?? 1);
  }
}
