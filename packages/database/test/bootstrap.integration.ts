import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bootstrapOrganization } from '#src/organizations/bootstrap.js';
import { listMembers } from '#src/access/members.js';
import { verifyPassword } from '#src/access/password.js';
import { findPassword } from '#src/access/users.js';
import { verifyAudit } from '#src/audit/verify-audit.js';
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

  it('has one owner, whom a later start neither brings back nor gives another password', async () => {
    const organizationId = randomUUID();
    const start = (email: string, password: string) =>
      bootstrapOrganization(db.database, {
        ...{ organizationId, organizationName: 'B', apiKey: undefined, keyName: 'bootstrap' },
        owner: { email, password },
      });
    const members = () =>
      db.database.inOrganization(organizationId, (scope) =>
        listMembers(scope, { offset: 0, limit: 10 }),
      );
    const fits = async (email: string, password: string) => {
      const known = await db.database.asSystem((system) => findPassword(system, email));
      return verifyPassword(password, known?.passwordHash ?? null);
    };
    await Promise.all([1, 2, 3].map(() => start('ada@b.example', 'the first password')));
    const { items, total } = await members();
    expect([total, items[0]?.email, items[0]?.role]).to.deep.equal([1, 'ada@b.example', 'owner']);
    await start('ada@b.example', 'another password');
    expect(await fits('ada@b.example', 'the first password')).to.equal(true);
    await start('eve@b.example', 'another password');
    expect((await members()).total).to.equal(1);
  });
});
