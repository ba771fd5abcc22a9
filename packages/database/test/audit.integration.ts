import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { appendAudit } from '#src/audit/audit.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { verifyAudit, type AuditVerdict } from '#src/audit/verify-audit.js';
import { migratedDatabase, type MigratedDatabase } from '@parley/testkit';

const actor = { kind: 'key', id: 'k', name: 'integration' } as const;

describe('audit log', () => {
  let db: MigratedDatabase;
  let owner: pg.Client;
  let organizationId: string;

  const append = (note: unknown) =>
    db.database.inOrganization(organizationId, (scope) =>
      appendAudit(scope, {
        actor,
        action: 'agent.updated',
        resourceType: 'agent',
        resourceId: null,
        before: { note: 'ä' },
        after: { note, when: new Date(), gone: undefined },
      }),
    );
  const verify = (): Promise<AuditVerdict> => verifyAudit(db.database, organizationId);
  const tamper = (statement: string) => owner.query(statement, [organizationId]);

  before(async () => {
    db = await migratedDatabase();
    owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
  });

  beforeEach(async () => {
    organizationId = (
      await db.database.asSystem((system) => insertOrganization(system, { name: 'O' }))
    ).id;
    await append({ nested: [1, 2.5, -0, 1e21, null, 'x"y'], z: true, a: false });
    await append('second');
    await append('third');
    await append('fourth');
  });

  after(async () => {
    await owner.end();
    await db.drop();
  });

  it('verifies what was appended', async () => {
    expect(await verify()).to.deep.equal({ ok: true, records: 4 });
  });

  it('verifies a chain that a former version wrote, and goes on with it', async () => {
    const path = join(import.meta.dirname, '../test/fixtures/audit-chain.json');
    const former = await readFile(path, 'utf8');
    ({ organizationId } = JSON.parse(former) as { organizationId: string });
    await tamper(`insert into organizations (id, name) values ($1, 'Former')`);
    await owner.query(
      `insert into audit_log select $1, sequence, "occurredAt", actor, action, "resourceType", "resourceId",
           before, after, decode("previousHash", 'hex'), decode(hash, 'hex')
         from jsonb_to_recordset($2::jsonb -> 'records') as record (sequence bigint, "occurredAt" timestamptz,
           actor jsonb, action text, "resourceType" text, "resourceId" uuid, before jsonb, after jsonb,
           "previousHash" text, hash text)`,
      [organizationId, former],
    );
    await tamper(
      `insert into audit_heads select organization_id, sequence, hash from audit_log
         where organization_id = $1 order by sequence desc limit 1`,
    );
    await append('next');
    expect(await verify()).to.deep.equal({ ok: true, records: 6 });
  });

  it('keeps one chain under concurrent writers', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, i) => append(i)));
    expect(await verify()).to.deep.equal({ ok: true, records: 44 });
  });

  it('raises no alarm over records that are appended while it verifies', async () => {
    for (let round = 0; round < 20; round += 1) {
      const meanwhile = Array.from({ length: 10 }, () => append('meanwhile'));
      expect(await verify()).to.include({ ok: true });
      await Promise.all(meanwhile);
    }
  });

  it('leaves no record of a change that was rolled back', async () => {
    await db.database
      .inOrganization(organizationId, async (scope) => {
        await appendAudit(scope, {
          actor,
          action: 'agent.deleted',
          resourceType: 'agent',
          resourceId: null,
        });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await verify()).to.deep.equal({ ok: true, records: 4 });
  });

  const tamperings: [string, string, number, RegExp][] = [
    [
      'a changed record',
      `update audit_log set after = '{"note":"forged"}' where organization_id = $1 and sequence = 2`,
      2,
      /changed/,
    ],
    [
      'a number that no JSON of ours holds',
      `update audit_log set after = '{"note":1e999}' where organization_id = $1 and sequence = 2`,
      2,
      /changed/,
    ],
    [
      'a changed time',
      `update audit_log set occurred_at = occurred_at + interval '1 ms' where organization_id = $1 and sequence = 3`,
      3,
      /changed/,
    ],
    [
      'a removed record',
      `delete from audit_log where organization_id = $1 and sequence = 2`,
      2,
      /missing/,
    ],
    [
      'a cut-off end',
      `delete from audit_log where organization_id = $1 and sequence = 4`,
      4,
      /cut off/,
    ],
    ['a removed head', `delete from audit_heads where organization_id = $1`, 4, /head/],
    [
      'a head that is set back',
      `update audit_heads set sequence = 3 where organization_id = $1`,
      4,
      /head/,
    ],
    [
      'two records in the other order',
      `update audit_log set sequence = case sequence when 2 then 103 else 102 end where organization_id = $1 and sequence in (2, 3); `,
      2,
      /missing/,
    ],
    [
      'a record with a hash of its own',
      `update audit_log set hash = sha256('x') where organization_id = $1 and sequence = 2`,
      2,
      /changed/,
    ],
  ];
  for (const [title, statement, sequence, reason] of tamperings)
    it(`names the place of ${title}`, async () => {
      await tamper(statement);
      const verdict = await verify();
      expect(verdict).to.include({ ok: false, sequence });
      expect((verdict as { reason: string }).reason).to.match(reason);
    });

  for (const statement of [
    'update audit_log set action = action',
    'delete from audit_log',
    'truncate audit_log',
  ])
    for (const role of ['parley_app', 'parley_system'])
      it(`does not let ${role} ${statement.split(' ')[0] ?? ''} records`, async () => {
        await owner.query(`begin; set local role ${role}`);
        const failure: unknown = await owner.query(statement).catch((error: unknown) => error);
        await owner.query('rollback');
        expect((failure as Error).message).to.match(/permission denied/);
      });
});
