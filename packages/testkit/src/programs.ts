import { accessSync, constants, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Programs with several names; any other is looked up by its own. */
const ALIASES: ReadonlyMap<string, readonly string[]> = new Map([
  ['chromium', CHROMIUM],
  // The same browser without a microphone and without windows, which takes less CPU.
  ['chromium-headless-shell', ['chromium-headless-shell', ...CHROMIUM]],
]);

/** Servers are installed in folders outside an ordinary user's PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** Where `.ci/tools` installs programs that no system package provides. */
export function toolsFolder(): string {
  return process.env['PARLEY_TOOLS'] ?? join(homedir(), '.cache/parley-ci');
}

/** The path of an installed program. */
export function findProgram(name: string): string | undefined {
  return findPrograms(name)[0];
}

/** The path of a program, or its name if it is not installed. */
export function programPath(name: string): string {
  return findProgram(name) ?? name;
}

/** All paths at which a program is installed, the one on the PATH first. */
export function findPrograms(name: string): string[] {
  const names = ALIASES.get(name) ?? [name];
  const paths = programFolders().flatMap((folder) => names.map((each) => join(folder, each)));
  return paths.filter(isExecutable);
}

/**
 * With TESTKIT_PATH_ONLY=true, only the PATH counts, so that a fully equipped machine can show what
 * a bare one does.
 */
function programFolders(): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  if (process.env['TESTKIT_PATH_ONLY'] === 'true') return path;
  const versions = entriesOf(DEBIAN_POSTGRES).map((name) => join(DEBIAN_POSTGRES, name, 'bin'));
  return [...path, ...SERVER_FOLDERS, ...versions, join(toolsFolder(), 'bin')];
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
