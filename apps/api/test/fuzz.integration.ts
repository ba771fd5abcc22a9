import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import {
  isUuid,
  openApiDocument,
  organizationOperations,
  pathParameters,
  problems,
  type Operation,
} from '@parley/protocol';
import { fuzz } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { arbitraryOf, type Known } from './support/arbitrary-of.js';
import type { RequestOptions } from './support/contract-client.js';
import { poisonedParts, poisonings } from './support/poison.js';
import { pathOf, seededTenant, type Seeds } from './support/seeded-tenant.js';

const all = Object.entries<Operation>(organizationOperations);
const document = openApiDocument('test');
const nobody = { kind: 'simulator', baseUrl: 'http://127.0.0.1:9/v1', secret: null } as const;
/** Arbitrary requests that are on their way together. */
const atOnce = 8;
/** Poisoned requests that are on their way together. */
const together = 16;
/** Samples among which a request is looked for that is accepted. */
const samples = 6;

/** Every operation in an organization, whoever adds it: whatever is sent, the answer is one that the contract states, and never a 5xx. */
describe('the contract under arbitrary requests', () => {
  let api: ApiUnderTest;
  let foreign: Seeds;
  before(async () => {
    api = await startApi({ defaultConnection: nobody });
    ({ seeds: foreign } = await seededTenant(api));
  });
  after(() => api.stop());

  /** Whatever is sent: an answer that the contract states. */
  const sender = (operation: Operation, { client }: Tenant) => {
    // A provider that cannot be reached, for example: an operation's own row may say so.
    const stated = operation.problems.map((code): number => problems[code].status);
    return async ({ path, query, options }: FuzzRequest): Promise<number> => {
      const url = `${path}${query === '' ? '' : `?${query}`}`;
      const reply = await client.request(operation.method.toUpperCase(), url, options);
      const isFine = stated.includes(reply.status) || reply.status < 500;
      expect(isFine, JSON.stringify({ url, options, reply: reply.body })).to.equal(true);
      return reply.status;
    };
  };

  for (const [id, operation] of all) {
    it(`holds for ${id} with anything`, async () => {
      const tenant = await seededTenant(api);
      const send = sender(operation, tenant);
      const request = requestFor(operation, knownBy(tenant, foreign));
      await fc.assert(
        fc.asyncProperty(
          fc.array(request, { minLength: atOnce, maxLength: atOnce }),
          async (requests) => {
            await Promise.all(requests.map(send));
          },
        ),
        fuzz(1),
      );
    });

    if (operation.query ?? operation.body ?? pathParameters(operation)[0])
      it(`holds for ${id} with what is right but for one place`, async () => {
        const tenant = await seededTenant(api);
        const send = sender(operation, tenant);
        const poisoned = poisonedRequests(operation, await accepted(operation, tenant, send));
        while (poisoned.length > 0) await Promise.all(poisoned.splice(0, together).map(send));
      });
  }
});

type FuzzRequest = { path: string; query: string; options: RequestOptions };
/** The parts of a request that is accepted, to be spoilt one at a time. */
type Accepted = { query: Record<string, unknown>; body: unknown; seeds: Seeds };

const knownBy = ({ seeds }: { seeds: Seeds }, foreign: Seeds): Known => ({
  ids: [...Object.values(seeds), ...Object.values(foreign)].filter(isUuid),
  seeds,
});

function requestFor(operation: Operation, known: Known): Arbitrary<FuzzRequest> {
  return fc.record({
    path: pathFor(operation, known),
    query: queryFor(operation, known),
    options: optionsFor(operation, known),
  });
}

/** The fullest of some bodies that the contract admits, of those that are accepted if there is one. What is deleted is not tried. */
async function accepted(
  operation: Operation,
  { seeds }: { seeds: Seeds },
  send: (request: FuzzRequest) => Promise<number>,
): Promise<Accepted> {
  const known = { ids: Object.values(seeds).filter(isUuid), seeds };
  const some = <T>(schema: object) => fc.sample(arbitraryOf({ ...schema }, known), samples) as T[];
  const size = (value: unknown) => JSON.stringify(value).length;
  const queries = some<Record<string, unknown>>(operation.query ?? { const: {} });
  const query = queries.toSorted((one, other) => size(other) - size(one))[0] ?? {};
  if (!operation.body) return { query, body: undefined, seeds };
  const bodies = some(operation.body).toSorted((one, other) => size(other) - size(one));
  for (const body of bodies) {
    const status = await send({ path: pathOf(operation, seeds), query: '', options: { body } });
    if (status < 300) return { query, body, seeds };
  }
  return { query, body: bodies[0], seeds };
}

function poisonedRequests(operation: Operation, { query, body, seeds }: Accepted): FuzzRequest[] {
  const path = pathOf(operation, seeds);
  const options = body === undefined ? {} : { body };
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  const written = (all: (readonly [string, string])[]) =>
    all.map(([name, value]) => `${encoded(name)}=${value}`).join('&');
  const good = pairs.map(([name, value]) => [name, encoded(value)] as const);
  return [
    ...pathParameters(operation).flatMap(({ name }) =>
      poisonedParts(seeds[name] ?? '').map((part) => ({
        path: path.replace(encodeURIComponent(seeds[name] ?? ''), part),
        query: '',
        options,
      })),
    ),
    ...pairs.flatMap(([name, value], at) =>
      poisonedParts(value).map((part) => ({
        path,
        query: written(good.with(at, [name, part])),
        options,
      })),
    ),
    ...pairs.flatMap(([name, value]) => [
      { path, query: written([...good, [name, encoded(value)]]), options },
      { path, query: written([[`${name}[]`, encoded(value)]]), options },
    ]),
    ...(body === undefined
      ? []
      : [...poisonings(body)].map((bad) => ({ path, query: '', options: { body: bad } }))),
  ];
}

const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '-1',
    '1e9',
    'null',
    '__proto__',
    '../..',
    "' or 1=1--",
    'é'.repeat(300),
  ),
);

function pathFor(operation: Operation, known: Known): Arbitrary<string> {
  const parts = pathParameters(operation).map(({ name, schema }) =>
    fc.oneof(
      { arbitrary: fc.constant(known.seeds[name] ?? known.ids[0] ?? ''), weight: 4 },
      { arbitrary: arbitraryOf(schema, known) as Arbitrary<string>, weight: 2 },
      { arbitrary: junk.filter((text) => !/^\.{0,2}$/.test(text)), weight: 1 },
    ),
  );
  return fc.tuple(...parts).map((values) => {
    let at = 0;
    return `/api/v1${operation.path.replaceAll(/\{\w+\}/g, () => encoded(values[at++] ?? ''))}`;
  });
}

function queryFor(operation: Operation, known: Known): Arbitrary<string> {
  const valid = arbitraryOf(operation.query ?? { type: 'object' }, known) as Arbitrary<object>;
  const broken = fc.dictionary(
    fc.oneof(junk, fc.constantFrom(...Object.keys(operation.query?.properties ?? { Offset: 1 }))),
    junk,
    { maxKeys: 2 },
  );
  return fc.oneof({ arbitrary: valid, weight: 3 }, { arbitrary: broken, weight: 1 }).map((query) =>
    Object.entries(query)
      .map(([name, value]) => `${encoded(name)}=${encoded(String(value))}`)
      .join('&'),
  );
}

function optionsFor(operation: Operation, known: Known): Arbitrary<RequestOptions> {
  const headers = fc.record(
    {
      'Idempotency-Key': fc.oneof(fc.uuid(), fc.constantFrom('a', 'not a key', 'x'.repeat(300))),
      'If-Match': fc.constantFrom('*', '"x"', 'x', 'W/"x", "y"'),
    },
    { requiredKeys: [] },
  );
  return fc
    .tuple(fc.oneof(fc.constant({}), fc.constant({}), headers), bodyFor(operation, known))
    .map(([sent, body]) => ({ ...body, headers: { ...sent, ...body.headers } }));
}

function bodyFor(operation: Operation, known: Known): Arbitrary<RequestOptions> {
  const described = document.paths[`/api/v1${operation.path}`]?.[operation.method] as {
    requestBody?: { content: Record<string, unknown> };
  };
  const types = Object.keys(described.requestBody?.content ?? {});
  if (types.length === 0) return fc.constant({});
  const bytes = fc
    .tuple(fc.constantFrom(...types, 'text/plain'), fc.uint8Array({ maxLength: 200 }))
    .map(([type, raw]) => ({ raw, headers: { 'Content-Type': type } }));
  const parts = fc.uint8Array({ maxLength: 200 }).map((content) => ({
    raw: multipart(content),
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
  }));
  if (!operation.body) return fc.oneof(bytes, parts);
  const valid = arbitraryOf(operation.body, known);
  const broken = fc.tuple(valid, fc.string(), fc.jsonValue()).map(([value, name, other]) => {
    const keys = Object.keys(value as object);
    const key = keys[name.length % (keys.length + 1)] ?? name;
    return { ...(value as object), [key]: other };
  });
  const json = fc.oneof(
    { arbitrary: valid, weight: 4 },
    { arbitrary: broken, weight: 3 },
    fc.jsonValue(),
  );
  return fc.oneof(
    { arbitrary: json.map((body) => ({ body })), weight: 8 },
    { arbitrary: bytes, weight: 1 },
    { arbitrary: parts, weight: 1 },
  );
}

function multipart(content: Uint8Array): Uint8Array {
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
}

/** Percent-encoded; half a surrogate pair, which UTF-8 has no bytes for, as the bytes that a careless client sends. */
function encoded(text: string): string {
  return !/\p{Surrogate}/u.test(text) ? encodeURIComponent(text) : '%ED%A0%80';
}
