import { Readable } from 'node:stream';
import { expect } from 'chai';
import { beginUpload } from '@parley/database';
import { StorageUnavailable } from '@parley/file-store';
import { purgeFiles } from '#src/processors/purge-files.js';
import { jobContext } from './support/context.js';
import { openRecord, type Organization, type TestRecord } from './support/record.js';

describe('purge-files', () => {
  let record: TestRecord;
  let organization: Organization;

  before(async () => {
    record = await openRecord();
  });
  beforeEach(async () => {
    await record.clear();
    organization = await record.newOrganization();
  });
  after(() => record.drop());

  const context = () => jobContext(record);
  const auditOf = ({ id }: Organization) =>
    record.values(
      `select jsonb_build_object('action', action, 'actor', actor, 'resource', resource_type, 'after', after)
       from audit_log where organization_id = $1 order by sequence`,
      [id],
    );
  const storages = () => record.values('select storage from temporary_files');

  it('deletes what has expired, in batches, and nothing else', async () => {
    await record.addFiles(organization, { count: 501, expiresInSeconds: -1 });
    await record.addFiles(organization, { count: 2, expiresInSeconds: 60 });
    expect(await purgeFiles(context())).to.deep.equal({ rows: 500, more: true });
    expect(await purgeFiles(context())).to.deep.equal({ rows: 1, more: false });
    expect(await purgeFiles(context())).to.deep.equal({ rows: 0, more: false });
    expect(await record.values('select id from temporary_files')).to.have.length(2);
  });

  it('writes one audit record per organization and batch, and none for nothing', async () => {
    const [other, idle] = [await record.newOrganization(), await record.newOrganization()];
    await record.addFiles(organization, { count: 501, expiresInSeconds: -1 });
    await record.addFiles(other, { count: 2, expiresInSeconds: -1 });
    await record.addFiles(idle, { count: 1, expiresInSeconds: 60 });
    expect(await purgeFiles(context())).to.deep.equal({ rows: 500, more: true });
    expect(await purgeFiles(context())).to.deep.equal({ rows: 3, more: false });
    const purged = (count: number) => ({
      action: 'temporaryFile.purged',
      actor: { kind: 'system', name: 'retention' },
      resource: 'temporaryFile',
      after: { count },
    });
    expect(await auditOf(organization)).to.deep.equal([purged(500), purged(1)]);
    expect(await auditOf(other)).to.deep.equal([purged(2)]);
    expect(await auditOf(idle)).to.deep.equal([]);
  });

  it('deletes each file once when many run together', async () => {
    await record.addFiles(organization, { count: 900, expiresInSeconds: -1 });
    const runs = await Promise.all(Array.from({ length: 4 }, () => purgeFiles(context())));
    const deleted = runs.reduce((sum, { rows }) => sum + rows, 0);
    expect(deleted + (await record.values('select id from temporary_files')).length).to.equal(900);
    const recorded = await record.values(
      `select sum((after->>'count')::int)::int from audit_log where organization_id = $1`,
      [organization.id],
    );
    expect(recorded).to.deep.equal([deleted]);
  });

  it('deletes the bytes with the file, and those of uploads that never ended', async () => {
    const begin = () =>
      record.database.inOrganization(organization.id, (scope) =>
        beginUpload(scope, { name: 'f', storage: 'postgres' }),
      );
    const [lost, going] = [await begin(), await begin()];
    for (const file of [lost, going])
      await record.files.put(file, Readable.from([Buffer.alloc(600_000)]));
    await record.owner.query('update temporary_files set expires_at = now() where id = $1', [
      lost.id,
    ]);
    expect(await purgeFiles(context())).to.deep.equal({ rows: 1, more: false });
    const kept = await record.values('select distinct file_id from temporary_file_chunks');
    expect(kept).to.deep.equal([going.id]);
  });

  it('keeps files whose bytes cannot be deleted for the next run, and deletes the others', async () => {
    await record.addFiles(organization, { count: 2, expiresInSeconds: -9, storage: 's3' });
    await record.addFiles(organization, { count: 3, expiresInSeconds: -1 });
    const { failure, ...result } = await purgeFiles(context());
    expect(failure).to.be.instanceOf(StorageUnavailable);
    expect(result).to.deep.equal({ rows: 3, more: false });
    expect(await storages()).to.deep.equal(['s3', 's3']);
  });

  it('deletes the others behind any number of files whose storage is gone', async () => {
    await record.addFiles(organization, { count: 501, expiresInSeconds: -9, storage: 's3' });
    await record.addFiles(organization, { count: 501, expiresInSeconds: -1 });
    for (const expected of [
      { rows: 500, more: true },
      { rows: 1, more: false },
      { rows: 0, more: false },
    ]) {
      const { failure, ...result } = await purgeFiles(context());
      expect(failure).to.be.instanceOf(StorageUnavailable);
      expect(result).to.deep.equal(expected);
    }
    expect(new Set(await storages())).to.deep.equal(new Set(['s3']));
  });

  it('deletes the files of other organizations when those of one cannot be recorded', async () => {
    const other = await record.newOrganization();
    await record.addFiles(organization, { count: 500, expiresInSeconds: -9 });
    await record.addFiles(other, { count: 2, expiresInSeconds: -1 });
    await record.owner.query(
      `alter table audit_log add constraint refused check (organization_id <> '${organization.id}')`,
    );
    try {
      const { failure, ...result } = await purgeFiles(context());
      expect(failure).to.have.property('constraint', 'refused');
      expect(result).to.deep.equal({ rows: 0, more: false });
      expect(await purgeFiles(context())).to.include({ rows: 2 });
    } finally {
      await record.owner.query('alter table audit_log drop constraint refused');
    }
    expect(
      await record.values('select distinct organization_id from temporary_files'),
    ).to.deep.equal([organization.id]);
  });
});
