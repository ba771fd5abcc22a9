import { expect } from 'chai';
import { forgetPassing } from '#src/processors/forget-passing.js';
import { jobContext } from './support/context.js';
import { openRecord, type TestRecord } from './support/record.js';

describe('forget-passing', () => {
  let record: TestRecord;
  before(async () => {
    record = await openRecord();
  });
  after(() => record.drop());

  it('forgets what callers did not come back for, an hour later', async () => {
    const organization = await record.newOrganization();
    const [old, recent] = await record.addConversations(organization, { count: 2, daysAgo: 0 });
    await record.owner.query(`update conversations set keeping = 'passing'`);
    await record.owner.query(
      `update conversations set updated_at = now() - interval '61 minutes' where id = $1`,
      [old],
    );
    expect(await forgetPassing(jobContext(record))).to.deep.equal({ rows: 1, more: false });
    const states = await record.values(
      `select jsonb_build_array(id, keeping) from conversations order by keeping`,
    );
    expect(states).to.deep.equal([
      [old, 'forgotten'],
      [recent, 'passing'],
    ]);
  });
});
