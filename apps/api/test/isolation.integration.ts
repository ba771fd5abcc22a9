import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { operations, pathParameters, type Operation } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { arbitraryOf } from './support/arbitrary-of.js';
import { pathOf, seededTenant, type Seeds } from './support/seeded-tenant.js';

const all = Object.entries<Operation>(operations);

/** Every operation of the contract, whoever adds it, from inside and from outside an organization. */
describe('organizations do not see each other', () => {
  let api: ApiUnderTest;
  let own: Tenant & { seeds: Seeds };
  let foreign: Tenant & { seeds: Seeds };
  before(async () => {
    api = await startApi({ defaultConnection: null });
    own = await seededTenant(api);
    foreign = await seededTenant(api);
  });
  after(() => api.stop());

  type Credentials = Record<string, string>;
  type Attempt = { seeds: Seeds; credentials?: Credentials };

  const send = async (operation: Operation, { seeds, credentials }: Attempt) => {
    const body = operation.body && validBody(operation);
    const response = await fetch(`${api.url}${pathOf(operation, seeds)}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...(credentials ?? { 'X-Api-Key': own.key, 'X-Org-Id': own.id }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };

  for (const [id, operation] of all) {
    it(`refuses ${id} without the right key and organization, whatever it names`, async () => {
      const rows: [Credentials, number][] = [
        [{}, 401],
        [{ 'X-Org-Id': own.id }, 401],
        [{ 'X-Api-Key': 'parley_test_x', 'X-Org-Id': own.id }, 401],
        [{ 'X-Api-Key': own.key }, 400],
        [{ 'X-Api-Key': own.key, 'X-Org-Id': 'x' }, 400],
        [{ 'X-Api-Key': own.key, 'X-Org-Id': foreign.id }, 403],
        [{ 'X-Api-Key': own.key, 'X-Org-Id': randomUUID() }, 403],
      ];
      for (const [credentials, status] of rows) {
        const answers = await Promise.all(
          [own.seeds, foreign.seeds, {}].map((seeds) => send(operation, { seeds, credentials })),
        );
        for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
        expect(answers[0]?.status, JSON.stringify(Object.keys(credentials))).to.equal(status);
      }
    });

    const namesIds = pathParameters(operation).some(({ name }) => !operation.params?.[name]);
    if (namesIds)
      it(`answers ${id} of another organization like one that never was`, async () => {
        const theirs = await send(operation, { seeds: foreign.seeds });
        expect(theirs).to.deep.equal(await send(operation, { seeds: {} }));
        expect(theirs.status).to.equal(404);
      });
  }

  it('leaves the other organization as it was', async () => {
    for (const [id, operation] of all)
      if (operation.method === 'get' && pathParameters(operation).length > 0) {
        const credentials = { 'X-Api-Key': foreign.key, 'X-Org-Id': foreign.id };
        const kind = pathParameters(operation)[0]?.name ?? '';
        const { status } = await send(operation, { seeds: foreign.seeds, credentials });
        if (foreign.seeds[kind] !== undefined) expect(status, id).to.equal(200);
      }
  });
});

/** The same for each call, so that answers can be compared. */
function validBody({ body }: Operation): unknown {
  return (
    body &&
    fc.sample(arbitraryOf(body, { ids: [randomUUID()], seeds: {} }), { numRuns: 1, seed: 7 })[0]
  );
}
