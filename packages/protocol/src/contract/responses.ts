import type { TSchema } from '@sinclair/typebox';
import { problems, type ProblemCode } from '../errors.js';
import { realtimeErrors, type RealtimeErrorCode } from '../realtime-errors.js';
import { answerStream, answerStreamExample } from './answer-stream.js';
import { organizationStream, organizationStreamExample } from './event-stream.js';
import { exampleOf, textExamples } from './examples.js';
import { ownProperty } from '../own-property.js';
import { takesIdempotencyKey, type Operation, type Success } from './operation.js';
import { reference } from './plain-schema.js';

export function successResponse(operation: Operation): Record<string, object> {
  const { success } = operation;
  const { status, orCreated, orAccepted, ...rest } = success;
  const answers: SuccessAs[] = [
    { ...rest, status },
    ...(orCreated ? [{ ...rest, status: 201 as const }] : []),
    ...(orAccepted ? [{ status: 202 as const, schema: orAccepted }] : []),
  ];
  return Object.fromEntries(
    answers.map((answer) => {
      const headers = responseHeaders(operation, answer);
      const content = successContent(answer);
      const description = descriptions[answer.status];
      return [answer.status, { description, headers, ...(content && { content }) }];
    }),
  );
}

type SuccessAs = Omit<Success, 'status'> & { status: keyof typeof descriptions };

const descriptions = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; not finished yet',
  204: 'Done; no content',
};

function successContent({ schema, stream, download, orEvents }: SuccessAs): object | undefined {
  if (stream) return contentOf(stream, (type) => (schema ? described(schema) : streamed(type)));
  if (download) return contentOf(download, downloaded);
  return (
    schema && {
      'application/json': described(schema),
      ...(orEvents && {
        'text/event-stream': { schema: answerStream, example: answerStreamExample },
      }),
    }
  );
}

function contentOf(types: readonly string[], content: (type: string) => object): object {
  return Object.fromEntries(types.map((type) => [type, content(type)]));
}

function described(schema: TSchema): object {
  return { schema: reference(schema), example: exampleOf(schema) };
}

function streamed(type: string): object {
  if (type === 'text/event-stream')
    return { schema: organizationStream, example: organizationStreamExample };
  return { schema: { type: 'string' }, example: ownProperty(textExamples, type) };
}

function downloaded(type: string): object {
  if (type === 'application/json') return { schema: {}, example: { hours: '9 to 5' } };
  if (!type.startsWith('text/')) return { schema: { type: 'string', format: 'binary' } };
  return { schema: { type: 'string' }, example: 'Opening hours: 9 to 5.' };
}

function responseHeaders(operation: Operation, success: SuccessAs): object {
  const { status, etag, download, headers } = success;
  const described = {
    ...(download && { 'Content-Disposition': 'Attachment, with the name of the file.' }),
    ...(status === 201 && { Location: 'Path of the new resource.' }),
    ...(etag && { ETag: 'Identifies this version of the resource, for If-Match.' }),
    ...(takesIdempotencyKey(operation) && {
      'Idempotent-Replayed': '`true` if the response is that of an earlier request.',
    }),
    ...headers,
  };
  return {
    ...ofEveryAnswer,
    ...Object.fromEntries(
      Object.entries(described).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' } },
      ]),
    ),
  };
}

/** Headers that responses have in common, in the document's components. */
export const commonHeaders = {
  RequestId: {
    description: 'Identifies the request in the log; include it when you report a problem.',
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'Seconds to wait before you retry.',
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
};

const ofEveryAnswer = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };
const retryAfter = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
const retried = new Set([409, 429, 503]);

export type Refusals = {
  readonly problems: readonly ProblemCode[];
  readonly realtimeErrors: readonly RealtimeErrorCode[];
};

/** One response per status, with all of its meanings. */
export function refusalResponses({ problems: codes, realtimeErrors: domain }: Refusals) {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = problems[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: Record<string, object> = {};
  for (const [status, own] of [...byStatus].sort(([a], [b]) => a - b)) {
    const realtime = status === 400 ? domain : [];
    const details = realtime.map((code) => `${code}: ${realtimeErrors[code].doc}`);
    const titles = own.map((code) => problems[code].title);
    responses[status] = {
      description: [`${titles.join('; ')}.`, ...details].join('\n\n'),
      headers: { ...ofEveryAnswer, ...(retried.has(status) && retryAfter) },
      content: {
        'application/problem+json': { schema: schemaOf('Problem'), examples: refsTo(own) },
        ...(realtime.length > 0 && {
          'application/json': { schema: schemaOf('RealtimeError'), examples: refsTo(realtime) },
        }),
      },
    };
  }
  return responses;
}

function schemaOf(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function refsTo(codes: readonly string[]): object {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}
