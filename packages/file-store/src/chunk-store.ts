import type { StoredFile } from '@parley/database';

/**
 * Stores files in chunks of equal size, so that a file is never completely in memory and both
 * stores work alike. Chunks in S3 are separate objects rather than parts of a multipart upload: an
 * aborted upload leaves nothing that cannot be listed.
 */
export type ChunkStore = {
  readonly chunkBytes: number;
  write(file: StoredFile, position: number, bytes: Buffer): Promise<void>;
  /** Undefined if there is no such chunk. */
  read(file: StoredFile, position: number): Promise<Buffer | undefined>;
  /** Removes all chunks of a file. Succeeds if they are already gone. */
  remove(file: StoredFile): Promise<void>;
};

/** The file storage cannot be reached, or does not work as expected. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The storage works, but does not delete this file. */
export class RemovalRefused extends StorageUnavailable {}
