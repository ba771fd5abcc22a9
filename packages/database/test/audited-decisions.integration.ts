import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { decideToolCall } from '#src/calls/approval-decisions.js';
import { updateOrganization } from '#src/organizations/organizations.js';
import { calledTools } from './support/called-tools.js';

describe('the audit record of a decision', () => {
  let world: Awaited<ReturnType<typeof calledTools>>;
  before(async () => (world = await calledTools()));
  after(() => world.drop());

  const by = { kind: 'key', id: 'k', name: 'backend' } as const;
  const input = { to: 'Ada', amount: 5 };
  const recorded = async () => {
    const { id } = await world.waiting({ arguments: input });
    await world.work((scope) => decideToolCall(scope, id, { approval: 'approved', by }));
    const record = await world.work(({ trx }) =>
      trx.selectFrom('auditLog').select('after').where('resourceId', '=', id).executeTakeFirst(),
    );
    return record?.after as Record<string, unknown>;
  };
  const sorted = '{"amount":5,"to":"Ada"}';
  const argumentsHash = createHash('sha256').update(sorted).digest('hex');

  it('has the hash of the arguments, and not the arguments', async () => {
    const after = await recorded();
    expect(after).to.deep.include({ argumentsHash, approvers: ['client', 'api'] });
    expect(JSON.stringify(after)).to.not.include('Ada');
  });

  it('has the arguments, too, where the organization wants them', async () => {
    await world.database.asSystem((system) =>
      updateOrganization(system, world.organizationId, { auditArguments: true }),
    );
    expect(await recorded()).to.deep.include({ argumentsHash, arguments: input });
  });
});
