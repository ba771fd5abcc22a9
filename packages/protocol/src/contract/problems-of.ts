import type { ProblemCode } from '../errors.js';
import { pathParameters, takesIdempotencyKey, type Operation } from './operation.js';

/** Refusals of the HTTP server, before it knows the operation. */
export const earlyProblems = [
  'request-malformed',
  'request-timeout',
  'body-too-large',
  'uri-too-long',
  'expectation-failed',
  'headers-too-large',
] as const satisfies ProblemCode[];

const inOrganization: ProblemCode[] = [
  'key-missing',
  'key-invalid',
  'key-expired',
  'session-over',
  'organization-missing',
  'organization-malformed',
  'organization-forbidden',
  'scope-missing',
  'role-missing',
];

/** Refusals that keep other pages from sending requests with the console's cookie. */
const withCookie: ProblemCode[] = ['origin-foreign', 'csrf-token-wrong'];

/** Refusals that every operation shares; a body or a path id adds its own. */
const everyOperation: ProblemCode[] = [
  'rate-limited',
  ...earlyProblems,
  'query-invalid',
  'service-unavailable',
  'internal',
];
const withPathId: ProblemCode[] = ['id-malformed', 'not-found'];
const withBody: ProblemCode[] = ['body-malformed', 'body-invalid', 'media-type-unsupported'];

const withIfMatch: ProblemCode[] = ['precondition-malformed', 'precondition-failed'];
const withIdempotencyKey: ProblemCode[] = [
  'idempotency-key-malformed',
  'idempotency-key-reused',
  'idempotency-in-progress',
];

/** Every problem code that an operation may return. */
export function problemsOf(operation: Operation): ProblemCode[] {
  const codes = [
    ...(operation.access === undefined ? inOrganization : []),
    ...(operation.access === 'session' ? (['session-over'] as const) : []),
    ...(operation.method === 'get' || operation.access === 'anybody' ? [] : withCookie),
    ...everyOperation,
    ...(pathParameters(operation).length > 0 ? withPathId : []),
    ...(operation.body || operation.upload ? withBody : []),
    ...(operation.ifMatch ? withIfMatch : []),
    ...(takesIdempotencyKey(operation) ? withIdempotencyKey : []),
    ...operation.problems,
  ];
  return [...new Set(codes)];
}
