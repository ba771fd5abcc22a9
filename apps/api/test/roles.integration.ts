import { expect } from 'chai';
import { includesRole, pathParameters, roleFor, roleNames, type Role } from '@parley/protocol';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';
import { newBrowser, type Browser } from './support/console-client.js';
import { everyOperation, validBody } from './support/every-operation.js';
import { pathOf, seededTenant, type SeededTenant } from './support/seeded-tenant.js';

/** What the table of operations must come to, in words. */
const examples: [id: string, least: Role][] = [
  ['listAgents', 'viewer'],
  ['exportAuditLog', 'viewer'],
  ['approveCall', 'approver'],
  ['rejectCall', 'approver'],
  ['createAgent', 'editor'],
  ['askQuestion', 'editor'],
  ['createRealtimeSession', 'editor'],
  ['deleteConversation', 'editor'],
  ['listApiKeys', 'owner'],
  ['createApiKey', 'owner'],
  ['listMembers', 'owner'],
  ['deleteMember', 'owner'],
];

/** Every operation of the contract, whoever adds it, in the hands of every role. */
describe('roles', () => {
  let api: ApiUnderTest;
  let tenant: SeededTenant;
  let foreign: SeededTenant;
  const people = new Map<Role, Browser>();
  before(async () => {
    api = await startApi({ defaultConnection: null });
    tenant = await seededTenant(api);
    foreign = await seededTenant(api);
    for (const role of roleNames) people.set(role, await newBrowser(api, tenant.id, { role }));
  });
  after(() => api.stop());

  for (const [id, least] of examples)
    it(`let nobody below ${least} do ${id}`, () => {
      const operation = everyOperation.find(([name]) => name === id)?.[1];
      expect(operation && roleFor(operation)).to.equal(least);
    });

  const send = async (
    operation: (typeof everyOperation)[number][1],
    {
      role,
      seeds,
      organizationId,
    }: { role: Role; seeds: SeededTenant['seeds']; organizationId: string },
  ) => {
    const { body, type } = validBody(operation);
    const { cookie = '', csrfToken = '' } = people.get(role) ?? {};
    const response = await fetch(`${api.url}${pathOf(operation, seeds)}`, {
      method: operation.method.toUpperCase(),
      headers: {
        Cookie: `parley_console=${cookie}`,
        Origin: api.url,
        'X-Parley-Csrf': csrfToken,
        'X-Org-Id': organizationId,
        ...(type !== undefined && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    });
    // Some answers never end; what is refused says why.
    if (response.ok) await response.body?.cancel();
    const text = response.ok ? '' : await response.text();
    return { status: response.status, code: /"\/docs\/errors#([\w-]+)"/.exec(text)?.[1] };
  };

  for (const [id, operation] of everyOperation)
    it(`count for ${id}`, async () => {
      const least = roleFor(operation);
      for (const role of roleNames) {
        // Of what is there, nobody below the role may touch it; with what is not, it is seen that the others may.
        const allowed = includesRole(role, least);
        const seeds = allowed ? {} : tenant.seeds;
        const { status, code } = await send(operation, { role, seeds, organizationId: tenant.id });
        if (allowed) {
          expect(code, role).not.to.be.oneOf(['role-missing', 'session-over', 'scope-missing']);
          if (pathParameters(operation).some(({ name }) => name !== 'externalId'))
            expect(status, `${role} ${code}`).to.be.oneOf([400, 404]);
        } else expect([status, code], role).to.deep.equal([403, 'role-missing']);
        const elsewhere = { role, seeds: foreign.seeds, organizationId: foreign.id };
        expect(await send(operation, elsewhere)).to.deep.equal({
          status: 403,
          code: 'organization-forbidden',
        });
      }
    });
});
