import {
  deleteFileChunks,
  findFileChunk,
  insertFileChunk,
  type Database,
  type OrganizationScope,
  type StoredFile,
} from '@parley/database';
import type { ChunkStore } from './chunk-store.js';

/** Uses a short transaction for each chunk, so that a slow peer does not hold a connection. */
export function postgresChunks(database: Database): ChunkStore {
  const within = <T>(file: StoredFile, work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(file.organizationId, work);
  return {
    chunkBytes: 256 * 1024,
    write: (file, position, bytes) =>
      within(file, (scope) => insertFileChunk(scope, { fileId: file.id, position, bytes })),
    read: (file, position) =>
      within(file, (scope) => findFileChunk(scope, { fileId: file.id, position })),
    remove: (file) => within(file, (scope) => deleteFileChunks(scope, file.id)),
  };
}
