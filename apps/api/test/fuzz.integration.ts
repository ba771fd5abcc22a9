import { expect } from 'chai';
import fc, { type Arbitrary } from 'fast-check';
import {
  isUuid,
  openApiDocument,
  operations,
  pathParameters,
  problems,
  type Operation,
} from '@parley/protocol';
import { startApi, type ApiUnderTest } from './support/api-under-test.js';
import { arbitraryOf, type Known } from './support/arbitrary-of.js';
import type { RequestOptions } from './support/contract-client.js';
import { seededTenant, type Seeds } from './support/seeded-tenant.js';

const all = Object.entries<Operation>(operations);
const document = openApiDocument('test');
const nobody = { kind: 'simulator', baseUrl: 'http://127.0.0.1:9/v1', secret: null } as const;
/** For each operation; how many requests that are depends on the machine. */
const milliseconds = 800;

/** Every operation of the contract, whoever adds it: whatever is sent, the answer is one that the contract states, and never a 5xx. */
describe('the contract under arbitrary requests', function () {
  this.timeout(120_000);
  let api: ApiUnderTest;
  let foreign: Seeds;
  before(async () => {
    api = await startApi({ defaultConnection: nobody });
    ({ seeds: foreign } = await seededTenant(api));
  });
  after(() => api.stop());

  for (const [id, operation] of all)
    it(`holds for ${id}`, async () => {
      const { client, seeds } = await seededTenant(api);
      const ids = [...Object.values(seeds), ...Object.values(foreign)].filter(isUuid);
      const known = { ids, seeds };
      const request = fc.record({
        path: pathFor(operation, known),
        query: queryFor(operation, known),
        options: optionsFor(operation, known),
      });
      // A provider that cannot be reached, for example: an operation's own row may say so.
      const stated = operation.problems.map((code): number => problems[code].status);
      const statuses: number[] = [];
      const send = async ({
        path,
        query,
        options,
      }: typeof request extends Arbitrary<infer R> ? R : never) => {
        const url = `${path}${query === '' ? '' : `?${query}`}`;
        const reply = await client.request(operation.method.toUpperCase(), url, options);
        if (!stated.includes(reply.status))
          expect(reply.status, JSON.stringify(reply.body)).to.be.below(500);
        statuses.push(reply.status);
      };
      await fc.assert(
        fc.asyncProperty(fc.array(request, { minLength: 8, maxLength: 8 }), async (requests) => {
          await Promise.all(requests.map(send));
        }),
        { numRuns: 50, interruptAfterTimeLimit: milliseconds },
      );
      expect(statuses).to.have.length.above(7);
    });
});

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
