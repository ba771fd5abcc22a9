import type { StoredFile } from '@parley/database';

/**
 * Keeps files in pieces of one size, so that a file is never whole in memory and both stores work alike. Pieces of S3 are objects of their
 * own rather than parts of a multipart upload: one that is broken off leaves nothing that cannot be listed.
 */
export type ChunkStore = {
  readonly chunkBytes: number;
  write(file: StoredFile, position: number, bytes: Buffer): Promise<void>;
  /** Undefined: there is no such piece. */
  read(file: StoredFile, position: number): Promise<Buffer | undefined>;
  /** All pieces of a file. Removing what is gone already succeeds. */
  remove(file: StoredFile): Promise<void>;
};

/** The storage of files cannot be reached, or does not do what it is asked to. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
