import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedEngineError } from './embedded-engine.js';

/** The user that PostgreSQL runs as if this process is root, because it refuses to run as root. */
export type RunAs = {
  uid: number;
  gid: number;
};

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** An existing unprivileged user; undefined if this process does not run as root. */
export async function unprivilegedUser(): Promise<RunAs | undefined> {
  if (!isRoot()) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((fields) => fields[0] === name);
    if (user !== undefined) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new EmbeddedEngineError(
    'PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as: ' +
      'start as an ordinary user, or set DATABASE_URL',
  );
}

/** Whether the user has execute permission on the path and every folder above it. */
export async function canReach(user: RunAs, path: string): Promise<boolean> {
  for (let current = await realpath(path); ; current = dirname(current)) {
    const { mode, uid, gid } = await stat(current);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (current === dirname(current)) return true;
  }
}
