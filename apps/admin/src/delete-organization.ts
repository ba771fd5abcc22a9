import { open } from 'node:fs/promises';
import { closeOrganization, deleteOrganizationData, exportOrganization } from '@parley/database';
import { administrator, type Answer, type Input } from './command.js';
import { keysForgotten } from './keys-forgotten.js';
import { anyOrganization, required } from './options.js';
import { printable } from './printable.js';
import { UsageError } from './usage.js';

export async function confirmDeletion(input: Input): Promise<string> {
  const { name } = await anyOrganization(input.database, input.options);
  return [
    `Delete the organization "${printable(name)}"? Its API keys stop working immediately.`,
    `Its data is exported to ${required(input.options, 'export')} and then permanently deleted; its audit log is kept.`,
  ].join('\n');
}

/**
 * Closes, exports and deletes, in this order. If it is interrupted, run it again with another file;
 * it continues.
 */
export async function deleteOrganization(input: Input): Promise<Answer> {
  const { database } = input;
  const { id, name } = await anyOrganization(input.database, input.options);
  const path = required(input.options, 'export');
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'The file already exists.' : message;
    throw new UsageError(`--export ${path} cannot be written: ${reason}`);
  });
  try {
    await database.asSystem((system) => closeOrganization(system, id, administrator));
    await keysForgotten();
    await database.inSnapshot(id, (scope) =>
      exportOrganization(scope, (lines) => file.appendFile(lines)),
    );
    await file.sync();
  } finally {
    await file.close();
  }
  const deleted = await deleteOrganizationData(database, id);
  const rows = Object.entries(deleted).map(([table, count]) => ({ table, deleted: count }));
  const note = `Deleted "${printable(name)}". Its data is in ${path}; audit verify --org ${id} still works.`;
  return { json: { id, name, export: path, deleted }, rows, note };
}
