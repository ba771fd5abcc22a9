import { expect } from 'chai';
import { claimKey, keepAnswer } from '@parley/database';
import { batchSize } from '#src/job.js';
import { purgeIdempotencyKeys } from '#src/processors/purge-idempotency-keys.js';
import { jobContext } from './support/context.js';
import { openRecord, type Organization, type TestRecord } from './support/record.js';

describe('purge-idempotency-keys', () => {
  let record: TestRecord;
  let organization: Organization;
  before(async () => {
    record = await openRecord();
    organization = await record.newOrganization();
  });
  after(() => record.drop());

  const run = () => purgeIdempotencyKeys(jobContext(record));
  const answered = (key: string) =>
    record.database.inOrganization(organization.id, async (scope) => {
      const claimed = await claimKey(scope, { key, fingerprint: Buffer.alloc(32) });
      if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
      await keepAnswer(scope, {
        key,
        claim: claimed.claim,
        answer: Buffer.of(1),
        conversationId: null,
      });
    });
  const age = (key: string, hours: number) =>
    record.owner.query(
      'update idempotency_keys set created_at = now() - make_interval(hours => $2) where key like $1',
      [key, hours],
    );

  it('forgets answers after 24 hours, in batches, and no younger ones', async () => {
    await answered('young');
    await age('young', 23);
    await record.owner.query(
      `insert into idempotency_keys (organization_id, key, fingerprint, claim, claimed_until)
       select $1, 'old' || n, '\\x00', gen_random_uuid(), now() from generate_series(0, $2) n`,
      [organization.id, batchSize],
    );
    await age('old%', 25);
    expect(await run()).to.deep.equal({ rows: batchSize, more: true });
    expect(await run()).to.deep.equal({ rows: 1, more: false });
    expect(await record.values('select key from idempotency_keys')).to.deep.equal(['young']);
  });
});
