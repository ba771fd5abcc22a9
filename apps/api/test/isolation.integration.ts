import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pathParameters, type Operation } from '@parley/protocol';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';
import { everyOperation, validBody } from './support/every-operation.js';
import { pathOf, seededTenant, type SeededTenant, type Seeds } from './support/seeded-tenant.js';

/** Every operation of the contract, whoever adds it, from inside and from outside an organization. */
describe('organizations do not see each other', () => {
  let api: ApiUnderTest;
  let own: SeededTenant;
  let foreign: SeededTenant;
  before(async () => {
    api = await startApi({ defaultConnection: null });
    own = await seededTenant(api);
    foreign = await seededTenant(api);
  });
  beforeEach(() => foreign.beat());
  after(() => api.stop());

  type Credentials = Record<string, string>;
  type Attempt = { seeds: Seeds; credentials?: Credentials };

  const send = async (operation: Operation, { seeds, credentials }: Attempt) => {
    const { body, type } = validBody(operation);
    const response = await fetch(`${api.url}${pathOf(operation, seeds)}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...(credentials ?? { 'X-Api-Key': own.key, 'X-Org-Id': own.id }),
        ...(type !== undefined && { 'Content-Type': type }),
      },
      ...(body !== undefined && { body }),
    });
    // One that goes on for as long as somebody listens is not waited for.
    if (operation.resumable && response.ok) await response.body?.cancel();
    return {
      status: response.status,
      text: response.bodyUsed ? '' : await response.text(),
    };
  };

  for (const [id, operation] of everyOperation) {
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

    // An organization may use an externalId that another one uses.
    if (pathParameters(operation).some(({ name }) => name !== 'externalId'))
      it(`answers ${id} of another organization like one that never was`, async () => {
        const theirs = await send(operation, { seeds: foreign.seeds });
        expect(theirs).to.deep.equal(await send(operation, { seeds: {} }));
        expect(theirs.status).to.equal(404);
      });
  }

  it('leaves the other organization as it was: everything can still be used by its owner', async () => {
    const credentials = { 'X-Api-Key': foreign.key, 'X-Org-Id': foreign.id };
    expect(await foreign.beat(), 'revoked sessions').to.deep.equal([]);
    // What reads comes first: the others change what it looks for.
    const reads = ([, { method }]: (typeof everyOperation)[number]) => Number(method === 'get');
    for (const [id, operation] of everyOperation.toSorted((a, b) => reads(b) - reads(a))) {
      for (const { name } of pathParameters(operation))
        expect(foreign.seeds).to.have.property(name);
      const { status, text } = await send(operation, { seeds: foreign.seeds, credentials });
      const decidedBefore = id === 'rejectCall';
      expect(status, `${id}: ${text}`).to.satisfy((is: number) =>
        decidedBefore ? is === 409 : is !== 404 && is !== 409,
      );
    }
  });
});
