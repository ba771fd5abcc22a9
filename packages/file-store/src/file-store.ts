import { Readable } from 'node:stream';
import {
  deleteFileRows,
  type Database,
  type FileStorage,
  type OrganizationScope,
  type StoredFile,
} from '@parley/database';
import { StorageUnavailable, type ChunkStore } from './chunk-store.js';
import { inChunks } from './in-chunks.js';
import { postgresChunks } from './postgres-chunks.js';
import { s3Chunks, type S3Options } from './s3-chunks.js';
import { s3Credentials } from './s3-credentials.js';

/** Called in the transaction that removed rows of an organization. */
export type OnRemoved = (scope: OrganizationScope, count: number) => Promise<void>;

export type FileStore = {
  /** Where new files are stored. Older ones are read from where they are. */
  readonly storage: FileStorage;
  /**
   * Resolves with the number of bytes once all are stored; after a failure, the caller or a sweep
   * discards what is left.
   */
  put(file: StoredFile, content: AsyncIterable<Buffer>): Promise<number>;
  open(file: StoredFile): Readable;
  /**
   * For expired files: deletes first their bytes, then their rows, so that a crash in between
   * leaves work for the next sweep, but no orphans.
   */
  discard(files: readonly StoredFile[], onRemoved?: OnRemoved): Promise<number>;
};

export type FileStoreSettings = {
  readonly FILE_STORAGE: FileStorage;
  readonly S3_ENDPOINT?: string | undefined;
  readonly S3_REGION: string;
  readonly S3_BUCKET?: string | undefined;
  readonly S3_ACCESS_KEY_ID?: string | undefined;
  readonly S3_SECRET_ACCESS_KEY?: string | undefined;
  readonly S3_FORCE_PATH_STYLE: boolean;
};

/** Rejects if new files are to be stored in S3, but it is not configured or cannot be reached. */
export async function openFileStore(
  database: Database,
  settings: FileStoreSettings,
): Promise<FileStore> {
  const storage = settings.FILE_STORAGE;
  const options = s3Options(settings);
  const s3 = options && s3Chunks(options);
  if (storage === 's3') {
    if (!s3) throw new Error('s3 needs S3_BUCKET');
    await s3.check();
  }
  const stores = { postgres: postgresChunks(database), s3 };
  const storeOf = (file: StoredFile): ChunkStore => {
    const store = stores[file.storage];
    if (!store) throw new StorageUnavailable('The file is in S3, which is no longer configured.');
    return store;
  };
  return {
    storage,
    async put(file, content) {
      const store = storeOf(file);
      let [position, stored] = [0, 0];
      for await (const bytes of inChunks(content, store.chunkBytes)) {
        await store.write(file, position, bytes);
        position += 1;
        stored += bytes.length;
      }
      return stored;
    },
    open: (file) => Readable.from(pieces(storeOf(file), file), { objectMode: false }),
    async discard(files, onRemoved) {
      const removed: StoredFile[] = [];
      const failures = new Map<FileStorage, unknown>();
      for (const file of files) {
        // An unavailable storage does not block files in the other one.
        if (failures.has(file.storage)) continue;
        try {
          await storeOf(file).remove(file);
          removed.push(file);
        } catch (error) {
          failures.set(file.storage, error);
        }
      }
      const rows = await deleteRows(database, removed, onRemoved);
      for (const failure of failures.values()) throw failure;
      return rows;
    },
  };
}

/** One transaction per organization. */
async function deleteRows(
  database: Database,
  files: readonly StoredFile[],
  onRemoved: OnRemoved | undefined,
): Promise<number> {
  let rows = 0;
  for (const organizationId of new Set(files.map((file) => file.organizationId))) {
    const own = files.filter((file) => file.organizationId === organizationId);
    rows += await database.inOrganization(organizationId, async (scope) => {
      const ids = own.map(({ id }) => id);
      const count = await deleteFileRows(scope, ids);
      if (count > 0) await onRemoved?.(scope, count);
      return count;
    });
  }
  return rows;
}

async function* pieces(store: ChunkStore, file: StoredFile): AsyncGenerator<Buffer> {
  for (let position = 0; ; position += 1) {
    const bytes = await store.read(file, position);
    if (bytes) yield bytes;
    if (!bytes || bytes.length < store.chunkBytes) return;
  }
}

function s3Options(settings: FileStoreSettings): S3Options | undefined {
  const { S3_BUCKET: bucket } = settings;
  if (!bucket) return undefined;
  return {
    bucket,
    credentials: s3Credentials(settings),
    endpoint: settings.S3_ENDPOINT,
    region: settings.S3_REGION,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
  };
}
