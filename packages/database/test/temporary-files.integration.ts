import { expect } from 'chai';
import pg from 'pg';
import {
  abandonUpload,
  beginUpload,
  expireAgain,
  expiredFiles,
  findFile,
  finishUpload,
  type FileStorage,
} from '#src/files/temporary-files.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import type { OrganizationScope } from '#src/postgres/database.js';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

describe('temporary files', () => {
  let db: MigratedDatabase;
  let owner: pg.Client;
  let organizationId: string;

  before(async () => {
    db = await migratedDatabase();
    owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
  });
  beforeEach(async () => {
    await owner.query('truncate organizations cascade');
    ({ id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    ));
  });
  after(async () => {
    await owner.end();
    await db.drop();
  });

  const within = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    db.database.inOrganization(organizationId, work);
  const begin = async (storage: FileStorage = 'postgres'): Promise<string> =>
    (await within((scope) => beginUpload(scope, { name: 'f', storage }))).id;
  const uploaded = async (): Promise<string> => {
    const id = await begin();
    const content = { mediaType: 'text/plain', sizeBytes: 1, text: 'x', textTruncated: false };
    await within((scope) => finishUpload(scope, { id, ...content, ttlHours: 1 }));
    return id;
  };
  const expired = async (minutesAgo: number, storage?: FileStorage): Promise<string> => {
    const id = await begin(storage);
    await owner.query(
      'update temporary_files set expires_at = now() - make_interval(mins => $2) where id = $1',
      [id, minutesAgo],
    );
    return id;
  };
  const due = async (storage: FileStorage, limit = 10): Promise<string[]> => {
    const files = await db.database.asSystem((system) => expiredFiles(system, { storage, limit }));
    return files.map(({ id }) => id);
  };

  it('that have expired are found by storage, the oldest first', async () => {
    const [second, first] = [await expired(1), await expired(2)];
    const elsewhere = await expired(3, 's3');
    await uploaded();
    expect(await due('postgres')).to.deep.equal([first, second]);
    expect(await due('postgres', 1)).to.deep.equal([first]);
    expect(await due('s3')).to.deep.equal([elsewhere]);
  });

  it('that expire again come after all that have expired, and are not visible', async () => {
    const [kept, other, visible] = [await expired(2), await expired(1), await uploaded()];
    await owner.query('update temporary_files set uploaded_at = created_at where id = $1', [kept]);
    await db.database.asSystem((system) => expireAgain(system, [kept, visible]));
    expect(await due('postgres')).to.deep.equal([other, kept]);
    expect(await within((scope) => findFile(scope, kept))).to.equal(undefined);
    expect(await within((scope) => findFile(scope, visible))).to.have.property('id', visible);
  });

  it('are abandoned only until they are uploaded', async () => {
    const [failed, done] = [await begin(), await uploaded()];
    expect(await within((scope) => abandonUpload(scope, failed))).to.equal(true);
    expect(await within((scope) => abandonUpload(scope, done))).to.equal(false);
    expect(await due('postgres')).to.deep.equal([failed]);
    expect(await within((scope) => findFile(scope, done))).to.have.property('id', done);
  });

  it('that a sweep has taken leave their upload to be abandoned', async () => {
    const taken = await begin('s3');
    await owner.query('delete from temporary_files where id = $1', [taken]);
    expect(await within((scope) => abandonUpload(scope, taken))).to.equal(true);
  });
});
