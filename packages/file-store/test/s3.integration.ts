import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  abandonUpload,
  beginUpload,
  insertOrganization,
  type FileStorage,
  type StoredFile,
} from '@parley/database';
import {
  migratedDatabase,
  needs,
  startS3Server,
  type MigratedDatabase,
  type S3Server,
} from '@parley/testkit';
import { StorageUnavailable } from '#src/chunk-store.js';
import { openFileStore, type FileStore, type FileStoreSettings } from '#src/file-store.js';

describe('files in S3', () => {
  needs('moto_server');
  let server: S3Server;
  let db: MigratedDatabase;
  let organizationId: string;
  let settings: FileStoreSettings;
  let files: FileStore;

  before(async () => {
    server = await startS3Server();
    db = await migratedDatabase();
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
    settings = {
      FILE_STORAGE: 's3',
      S3_ENDPOINT: server.url,
      S3_REGION: 'us-east-1',
      S3_BUCKET: server.bucket,
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_FORCE_PATH_STYLE: true,
    };
    files = await openFileStore(db.database, settings);
  });
  after(async () => {
    await db.drop();
    await server.stop();
  });

  const begin = (storage: FileStorage = 's3'): Promise<StoredFile> =>
    db.database.inOrganization(organizationId, (scope) =>
      beginUpload(scope, { name: 'f', storage }),
    );
  const put = (file: StoredFile, content: Buffer) =>
    files.put(file, Readable.from([content.subarray(0, 10), content.subarray(10)]));
  const discard = async (file: StoredFile) => {
    await db.database.inOrganization(organizationId, (scope) => abandonUpload(scope, file.id));
    return files.discard(file);
  };
  const keys = async () => {
    const listing = await (await fetch(`${server.url}/${server.bucket}`)).text();
    return [...listing.matchAll(/<Key>([^<]+)</g)].map(([, key]) => key);
  };

  for (const size of [1, 1024 * 1024, 2_500_000])
    it(`gives back ${size} bytes as they were, and leaves nothing when they go`, async () => {
      const [file, content] = [await begin(), randomBytes(size)];
      expect(await put(file, content)).to.equal(size);
      expect((await buffer(files.open(file))).equals(content)).to.equal(true);
      expect(await keys()).to.have.length(Math.ceil(size / 1024 / 1024));
      expect(await discard(file)).to.equal(1);
      expect(await keys()).to.deep.equal([]);
      expect(await discard(file)).to.equal(0);
    });

  it('are kept beside those in PostgreSQL, each found where it is', async () => {
    const [here, there] = [await begin('postgres'), await begin('s3')];
    await put(here, Buffer.from('in PostgreSQL'));
    await put(there, Buffer.from('in the bucket'));
    expect((await buffer(files.open(here))).toString()).to.equal('in PostgreSQL');
    expect((await buffer(files.open(there))).toString()).to.equal('in the bucket');
    expect(await keys()).to.have.length(1);
    await discard(there);
  });

  it('are not stored without a bucket, a key or a server', async () => {
    const failures: [Partial<FileStoreSettings>, RegExp][] = [
      [
        { S3_ACCESS_KEY_ID: undefined },
        /S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together/,
      ],
      [{ S3_BUCKET: undefined }, /needs S3_BUCKET/],
      [{ S3_BUCKET: 'absent' }, /bucket does not exist/],
      [{ S3_ENDPOINT: 'http://127.0.0.1:1' }, /cannot be reached/],
    ];
    for (const [changes, message] of failures) {
      const failure: unknown = await openFileStore(db.database, { ...settings, ...changes }).catch(
        (error: unknown) => error,
      );
      expect((failure as Error).message).to.match(message);
    }
  });

  it('keep their row while the server is away, for a later sweep', async () => {
    const file = await begin();
    await put(file, Buffer.from('x'));
    await server.stop();
    const attempts = [
      () => put(file, Buffer.from('y')),
      () => buffer(files.open(file)),
      () => discard(file),
    ];
    for (const attempt of attempts)
      expect(await attempt().catch((error: unknown) => error)).to.be.instanceOf(StorageUnavailable);
    const rows = await db.database.asSystem(({ trx }) =>
      trx.selectFrom('temporaryFiles').select('id').where('id', '=', file.id).execute(),
    );
    expect(rows).to.have.length(1);
  });
});
