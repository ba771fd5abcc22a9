import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import {
  appendAudit,
  closeOrganization,
  deleteOrganizationData,
  type Database,
} from '@parley/database';
import { createLogger } from '@parley/service-kit';
import type { AuditState } from '@parley/session-store';
import { auditMetrics } from '#src/audit-metrics.js';
import { verifyAuditLogs } from '#src/processors/verify-audit.js';
import { openCoordination, type Coordination } from './support/coordination.js';
import { openRecord, type Organization, type TestRecord } from './support/record.js';

const day = 86_400_000;
const actor = { kind: 'system', name: 'test' } as const;

describe('verify-audit', () => {
  let record: TestRecord;
  let coordination: Coordination;
  let errors: object[];

  before(async () => {
    record = await openRecord();
  });
  beforeEach(async () => {
    await record.clear();
    coordination = await openCoordination(record);
    errors = [];
  });
  afterEach(() => coordination.close());
  after(() => record.drop());

  const run = (database: Database = record.database) => {
    const logger = Object.assign(createLogger({ app: 'test', level: 'silent' }), {
      error: (fields: object) => void errors.push(fields),
    });
    return verifyAuditLogs({ database, auditWatch: coordination.auditWatch, logger });
  };
  const runToTheEnd = async () => {
    for (let runs = 1; ; runs += 1) if (!(await run()).more) return runs;
  };
  const append = ({ id }: Organization, notes: unknown[]) =>
    record.database.inOrganization(id, async (scope) => {
      for (const after of notes)
        await appendAudit(scope, {
          actor,
          action: 'task.updated',
          resourceType: 'task',
          resourceId: null,
          after,
        });
    });
  const organizationWith = async (notes: unknown[]): Promise<Organization> => {
    const organization = await record.newOrganization();
    await append(organization, notes);
    return organization;
  };
  /** Each makes a batch of its own. */
  const long = (count: number) =>
    Array.from({ length: count }, () => ({ noise: randomBytes(150_000).toString('hex') }));
  const tamper = ({ id }: Organization, sequence: number) =>
    record.owner.query(
      `update audit_log set action = 'forged' where organization_id = $1 and sequence = $2`,
      [id, sequence],
    );
  const state = () => coordination.auditWatch.read();
  const change = async (next: (state: AuditState) => AuditState) => {
    const read = await state();
    expect(await coordination.auditWatch.replace(read, next(read))).to.equal(true);
  };
  const aDayPasses = () =>
    change(({ verified, ...rest }) => ({
      ...rest,
      verified: { ...verified!, startedAt: verified!.startedAt - day },
    }));
  const gauges = async () => {
    const registry = new Registry();
    auditMetrics(registry, coordination.auditWatch, (error) => errors.push(error as Error));
    const text = await registry.metrics();
    const value = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1];
    return {
      broken: value('parley_audit_chains_broken'),
      verifiedAt: Number(value('parley_audit_verified_timestamp_seconds')),
    };
  };

  it('verifies every log once a day, and tells when', async () => {
    expect(await gauges()).to.deep.equal({ broken: undefined, verifiedAt: NaN });
    await organizationWith(['a', 'b']);
    await organizationWith([]);
    const before = Date.now();
    expect(await run()).to.deep.equal({ rows: 0, more: false });
    const { walk, verified } = await state();
    expect(walk).to.equal(null);
    expect(verified!.broken).to.equal(0);
    expect(verified!.endedAt).to.be.within(before, Date.now());
    expect(await gauges()).to.deep.equal({ broken: '0', verifiedAt: verified!.endedAt / 1000 });
    await run();
    expect((await state()).verified).to.deep.equal(verified);
    await aDayPasses();
    await run();
    expect((await state()).verified!.startedAt).to.be.at.least(verified!.startedAt);
    expect(errors).to.deep.equal([]);
  });

  it('names the first broken record of each log that has one, and goes on', async () => {
    const broken = [await organizationWith(['a', 'b', 'c']), await organizationWith(['a'])];
    await organizationWith(['a', 'b']);
    await tamper(broken[0]!, 2);
    await tamper(broken[0]!, 3);
    await record.owner.query('delete from audit_log where organization_id = $1', [broken[1]!.id]);
    await run();
    expect(errors).to.have.deep.members([
      { organizationId: broken[0]!.id, sequence: 2, reason: 'its content was changed' },
      { organizationId: broken[1]!.id, sequence: 1, reason: 'the end of the log was cut off' },
    ]);
    expect(await gauges()).to.include({ broken: '2' });
  });

  it('keeps the alarm until a whole verification finds nothing', async () => {
    const organization = await organizationWith(['a', 'b']);
    await tamper(organization, 1);
    await run();
    await record.owner.query(
      `update audit_log set action = 'task.updated' where organization_id = $1 and sequence = 1`,
      [organization.id],
    );
    for (let more = 0; more < 55; more += 1) await record.newOrganization();
    await aDayPasses();
    expect(await run()).to.deep.equal({ rows: 0, more: true });
    expect(await gauges()).to.include({ broken: '1' });
    expect(await runToTheEnd()).to.equal(1);
    expect(await gauges()).to.include({ broken: '0' });
  });

  it('tells of a broken log before the walk has ended', async () => {
    const organizations: Organization[] = [];
    for (let count = 0; count < 55; count += 1) organizations.push(await organizationWith(['a']));
    for (const organization of organizations) await tamper(organization, 1);
    expect(await run()).to.deep.equal({ rows: 0, more: true });
    expect(await gauges()).to.deep.equal({ broken: '50', verifiedAt: NaN });
    await runToTheEnd();
    expect(await gauges()).to.include({ broken: '55' });
    expect(errors).to.have.length(55);
  });

  it('takes a long log piece by piece, and goes on in its middle', async () => {
    const organization = await organizationWith(long(70));
    expect(await run()).to.deep.equal({ rows: 0, more: true });
    expect((await state()).walk!.at).to.include({ organizationId: organization.id, sequence: 50 });
    await append(organization, ['meanwhile']);
    await tamper(organization, 69);
    expect(await runToTheEnd()).to.equal(1);
    expect(errors).to.deep.equal([
      { organizationId: organization.id, sequence: 69, reason: 'its content was changed' },
    ]);
  });

  it('is carried on by one of the workers that find it', async () => {
    for (let count = 0; count < 120; count += 1) await record.newOrganization();
    const results = await Promise.all([run(), run(), run()]);
    expect(results.filter(({ more }) => more)).to.have.length(1);
    expect(await runToTheEnd()).to.equal(2);
    expect((await state()).verified).to.include({ broken: 0 });
  });

  it('repeats what a run that failed had not stored', async () => {
    await tamper(await organizationWith(['a']), 1);
    await tamper(await organizationWith(['a']), 1);
    let left = 3;
    const failing: Database = {
      ...record.database,
      asSystem: (work) =>
        (left -= 1) < 0 ? Promise.reject(new Error('gone')) : record.database.asSystem(work),
    };
    const failure: unknown = await run(failing).catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'gone');
    expect(await state()).to.deep.equal({ walk: null, verified: null });
    await run();
    expect(await gauges()).to.include({ broken: '2' });
  });

  it('verifies the log of an organization that is deleted meanwhile to its end', async () => {
    const { id } = await organizationWith(long(60));
    await run();
    const administrator = { kind: 'administrator', name: 'test' } as const;
    await record.database.asSystem((system) => closeOrganization(system, id, administrator));
    await deleteOrganizationData(record.database, id);
    await runToTheEnd();
    expect(errors).to.deep.equal([]);
    expect(await gauges()).to.include({ broken: '0' });
    await coordination.loseData();
    await record.owner.query(
      `update audit_log set action = 'forged' where organization_id = $1 and sequence = 61`,
      [id],
    );
    await runToTheEnd();
    expect(await gauges()).to.include({ broken: '1' });
  });

  it('begins again when Redis has lost its state', async () => {
    for (let count = 0; count < 60; count += 1) await record.newOrganization();
    await run();
    await coordination.loseData();
    expect(await gauges()).to.deep.equal({ broken: undefined, verifiedAt: NaN });
    expect(await runToTheEnd()).to.equal(2);
    expect((await state()).verified).to.include({ broken: 0 });
  });
});
