import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { before } from 'mocha';

/** Programs that go by several names; any other is looked for by its own. */
const ALIASES = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
} as const satisfies Record<string, readonly string[]>;

/** Servers are installed where an ordinary user's PATH does not lead. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin'];
const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** The path of an installed program. */
export async function findProgram(name: string): Promise<string | undefined> {
  return (await findPrograms(name))[0];
}

/** Every place where a program is installed, that on the PATH first. */
export async function findPrograms(name: string): Promise<string[]> {
  const names: readonly string[] = name in ALIASES ? ALIASES[name as keyof typeof ALIASES] : [name];
  const postgresVersions = await readdir(DEBIAN_POSTGRES).catch(() => []);
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
    ...SERVER_FOLDERS,
    ...postgresVersions.map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
  ];
  const found: string[] = [];
  for (const path of folders.flatMap((folder) => names.map((each) => join(folder, each))))
    if (await isExecutable(path)) found.push(path);
  return found;
}

/**
 * In a describe block: the suite runs only where the program is installed. Elsewhere it is skipped with a loud line, or
 * fails when CI=true.
 */
export function needs(...programs: string[]): void {
  before(async function () {
    for (const name of programs) {
      if ((await findProgram(name)) !== undefined) continue;
      const suite = this.test?.parent?.fullTitle() ?? 'a suite';
      if (process.env['CI'] === 'true')
        throw new Error(`${name} is not installed; "${suite}" needs it`);
      console.warn(`\n*** SKIPPED: "${suite}" needs ${name}, which is not installed ***\n`);
      this.skip();
    }
  });
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
