import { expect } from 'chai';
import pg from 'pg';
import {
  abandonUpload,
  beginUpload,
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
  const due = async (): Promise<string[]> => {
    const files = await db.database.asSystem((system) => expiredFiles(system, 10));
    return files.map(({ id }) => id);
  };

  it('are abandoned only until they are uploaded', async () => {
    const [failed, done] = [await begin(), await uploaded()];
    expect(await within((scope) => abandonUpload(scope, failed))).to.equal(true);
    expect(await within((scope) => abandonUpload(scope, done))).to.equal(false);
    expect(await due()).to.deep.equal([failed]);
    expect(await within((scope) => findFile(scope, done))).to.have.property('id', done);
  });

  it('that a sweep has taken leave their upload to be abandoned', async () => {
    const taken = await begin('s3');
    await owner.query('delete from temporary_files where id = $1', [taken]);
    expect(await within((scope) => abandonUpload(scope, taken))).to.equal(true);
  });
});
