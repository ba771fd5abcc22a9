import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bootstrapOrganization } from '#src/bootstrap.js';
import { verifyAudit } from '#src/verify-audit.js';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

describe('what a deployment is configured with', () => {
  let db: MigratedDatabase;
  before(async () => {
    db = await migratedDatabase();
  });
  after(() => db.drop());

  it('is made once by many that start together, and stands in the audit log without the key', async () => {
    const organizationId = randomUUID();
    const apiKey = 'a-key-made-by-the-operator';
    const wanted = { organizationId, organizationName: 'B', apiKey, keyName: 'bootstrap' };
    await Promise.all([1, 2, 3].map(() => bootstrapOrganization(db.database, wanted)));
    const records = await db.database.inOrganization(organizationId, ({ trx }) =>
      trx.selectFrom('auditLog').select(['action', 'actor', 'after']).orderBy('sequence').execute(),
    );
    const actor = { kind: 'system', name: 'bootstrap' };
    expect(records.map(({ action, actor: by }) => [action, by])).to.deep.equal([
      ['organization.created', actor],
      ['key.created', actor],
    ]);
    expect(JSON.stringify(records)).to.include('"name":"bootstrap"').and.not.include(apiKey);
    expect(await verifyAudit(db.database, organizationId)).to.deep.equal({ ok: true, records: 2 });
  });
});
