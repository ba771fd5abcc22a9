import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  abandonUpload,
  beginUpload,
  expiredFiles,
  insertOrganization,
  type StoredFile,
} from '@parley/database';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';
import { StorageUnavailable } from '#src/chunk-store.js';
import { openFileStore, type FileStore } from '#src/file-store.js';

type Mood = 'deletes' | 'refuses' | 'hangs up';

describe('a sweep of files in S3', () => {
  let db: MigratedDatabase;
  let server: Server;
  let files: FileStore;
  let organizationId: string;
  /** How the server treats a file; it has one object of each. */
  let moodOf: (id: string) => Mood;
  let deletions: string[];

  before(async () => {
    db = await migratedDatabase();
    server = createServer(({ method, url = '', socket }, response) => {
      const [id = ''] = /[-0-9a-f]{36}(?=%2F$|\/0$)/.exec(url) ?? [];
      const mood = moodOf(id);
      if (mood === 'hangs up') socket.destroy();
      else if (method === 'GET') response.end(`<Key>temporary-files/o/${id}/0</Key>`);
      else response.writeHead(mood === 'deletes' ? 204 : 403).end();
      if (method === 'DELETE' || mood === 'hangs up') deletions.push(id);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    files = await openFileStore(db.database, {
      FILE_STORAGE: 'postgres',
      S3_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_REGION: 'us-east-1',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_FORCE_PATH_STYLE: true,
    });
  });
  beforeEach(async () => {
    moodOf = () => 'deletes';
    deletions = [];
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
  });
  afterEach(async () => {
    moodOf = () => 'deletes';
    await sweep(await due());
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await db.drop();
  });

  const due = (limit = 100): Promise<StoredFile[]> =>
    db.database.asSystem((system) => expiredFiles(system, { storage: 's3', limit }));
  const dueIds = async () => (await due()).map(({ id }) => id);
  const sweep = (batch: readonly StoredFile[]) => files.sweep(batch, () => Promise.resolve());
  const expired = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1)
      ids.push(
        await db.database.inOrganization(organizationId, async (scope) => {
          const { id } = await beginUpload(scope, { name: 'f', storage: 's3' });
          await abandonUpload(scope, id);
          return id;
        }),
      );
    return ids;
  };

  it('goes on after any number of files that S3 refuses to delete', async () => {
    const refused = await expired(12);
    await expired(2);
    moodOf = (id) => (refused.includes(id) ? 'refuses' : 'deletes');
    const { rows, failure } = await sweep(await due());
    expect(rows).to.equal(2);
    expect(failure).to.be.instanceOf(StorageUnavailable);
    expect(await dueIds()).to.have.members(refused);
  });

  it('leaves what failed behind what the next one finds', async () => {
    const [refused = '', ...others] = await expired(3);
    moodOf = (id) => (id === refused ? 'refuses' : 'deletes');
    expect(await sweep(await due(1))).to.have.property('rows', 0);
    expect(await dueIds()).to.deep.equal([...others, refused]);
    expect(await sweep(await due(2))).to.deep.equal({ rows: 2 });
  });

  it('gives up after a few files in a row, and the next one starts with the others', async () => {
    const ids = await expired(8);
    moodOf = () => 'hangs up';
    const { rows, failure } = await sweep(await due());
    expect(rows).to.equal(0);
    expect(failure).to.be.instanceOf(StorageUnavailable);
    expect(deletions).to.deep.equal(ids.slice(0, 5));
    const next = await dueIds();
    expect(next.slice(0, 3)).to.deep.equal(ids.slice(5));
    expect(next.slice(3)).to.have.members(ids.slice(0, 5));
  });

  it('does not give up when some are deleted in between', async () => {
    const ids = await expired(14);
    moodOf = (id) => (ids.indexOf(id) % 2 === 0 ? 'hangs up' : 'deletes');
    expect(await sweep(await due())).to.have.property('rows', 7);
  });
});
