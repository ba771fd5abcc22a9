// What package-lock.json installs for a workspace in production. `npm sbom --omit=dev` would leave
// out every package that a development dependency needs as well.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export function readLock(file = join(root, 'package-lock.json')) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

export const allApps = (packages) =>
  Object.keys(packages).filter((path) => /^apps\/[^/]+$/.test(path));

/** The paths of all packages that `workspaces` need at run time, sorted, and whom each one needs. */
export function shipped(packages, workspaces, { optional = true } = {}) {
  const needs = new Map();
  const waiting = [...workspaces];
  for (const path of waiting) {
    if (needs.has(path)) continue;
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path];
    const mayMiss = (name) =>
      Object.hasOwn(optionalDependencies ?? {}, name) || peerDependenciesMeta?.[name]?.optional;
    const found = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      .filter((name) => optional || !mayMiss(name))
      .flatMap((name) => {
        const place = placeOf(packages, path, name);
        if (place !== undefined) return [packages[place].link ? packages[place].resolved : place];
        if (mayMiss(name)) return [];
        throw new Error(`${path} needs ${name}, which package-lock.json does not have.`);
      });
    needs.set(path, found.sort());
    waiting.push(...found);
  }
  return new Map([...needs].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const nameOf = (packages, path) =>
  packages[path].name ?? path.replace(/^.*node_modules\//, '');

/** As Node resolves it: the nearest node_modules on the way up. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.replace(/\/?[^/]*$/, '')) {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (Object.hasOwn(packages, place)) return place;
    if (folder === '') return undefined;
  }
}
