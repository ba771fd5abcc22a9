import { Readable } from 'node:stream';
import { deleteFileRows, type Database, type FileStorage, type StoredFile } from '@parley/database';
import { StorageUnavailable, type ChunkStore } from './chunk-store.js';
import { inChunks } from './in-chunks.js';
import { postgresChunks } from './postgres-chunks.js';
import { s3Chunks, type S3Options } from './s3-chunks.js';
import { s3Credentials } from './s3-credentials.js';
import { sweepFiles, type OnRemoved, type Swept } from './sweep-files.js';

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
   * For an expired file: deletes first its bytes, then its row, so that a crash in between leaves
   * work for the next sweep, but no orphans. Returns how many rows there were.
   */
  discard(file: StoredFile): Promise<number>;
  /** The same for a batch of expired files of one storage. */
  sweep(files: readonly StoredFile[], onRemoved: OnRemoved): Promise<Swept>;
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
  const remove = async (file: StoredFile) => storeOf(file).remove(file);
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
    async discard(file) {
      await remove(file);
      return database.inOrganization(file.organizationId, (scope) =>
        deleteFileRows(scope, [file.id]),
      );
    },
    sweep: (files, onRemoved) => sweepFiles({ database, remove }, files, onRemoved),
  };
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
