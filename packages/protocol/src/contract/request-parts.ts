import type { TSchema } from '@sinclair/typebox';
import { exampleOf, pathExamples } from './examples.js';
import {
  idempotencyKeyPattern,
  pathParameters,
  takesIdempotencyKey,
  type Operation,
} from './operation.js';
import { inline, reference } from './plain-schema.js';
import { ownProperty } from '../own-property.js';

export function parametersOf(operation: Operation): object[] {
  return [
    ...pathParameters(operation).map(pathParameter),
    ...queryParameters(operation),
    ...headerParameters(operation),
  ];
}

export function requestBody({ body, bodyOptional, upload }: Operation): object {
  if (body) {
    const content = { 'application/json': { schema: reference(body), example: exampleOf(body) } };
    return { requestBody: { required: !bodyOptional, content } };
  }
  if (!upload) return {};
  const { field, description, example } = upload;
  const file = { type: 'string', format: 'binary', minLength: 1, description };
  const schema = {
    type: 'object',
    properties: { [field]: file },
    required: [field],
    additionalProperties: false,
  };
  const content = { 'multipart/form-data': { schema, example: { [field]: example } } };
  return { requestBody: { required: true, content } };
}

function pathParameter({ name, schema }: { name: string; schema: TSchema }): object {
  const { description, ...rest } = inline(schema) as { description?: string };
  return {
    name,
    in: 'path',
    required: true,
    ...(description !== undefined && { description }),
    schema: rest,
    example: ownProperty(pathExamples, name) ?? pathExamples.id,
  };
}

function queryParameters(operation: Operation): object[] {
  return Object.entries(operation.query?.properties ?? {}).map(([name, schema]) => {
    const { description, ...rest } = inline(schema) as { description?: string };
    return { name, in: 'query', ...(description !== undefined && { description }), schema: rest };
  });
}

function headerParameters(operation: Operation): object[] {
  return [
    ...(operation.resumable
      ? [{ name: 'Last-Event-ID', in: 'header', ...requestHeaders.lastEventId }]
      : []),
    ...(operation.ifMatch
      ? [
          { name: 'If-Match', in: 'header', ...requestHeaders.ifMatch },
          { name: 'If-None-Match', in: 'header', ...requestHeaders.ifNoneMatch },
        ]
      : []),
    ...(takesIdempotencyKey(operation) ? [idempotencyKeyOf(operation)] : []),
  ];
}

function idempotencyKeyOf({ success }: Operation): object {
  const { description, ...header } = requestHeaders.idempotencyKey;
  const failed =
    ' A question counts as answered even if the model failed: after `provider-unavailable`, ask again with a new key.';
  return {
    name: 'Idempotency-Key',
    in: 'header',
    description: success.orEvents ? description + failed : description,
    ...header,
  };
}

const requestHeaders = {
  ifMatch: {
    description:
      'Only change the resource if it still has this ETag; otherwise the response is 412. Without it, the last write wins.',
    schema: { type: 'string' },
    example: '"3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11.7"',
  },
  ifNoneMatch: {
    description:
      'With `*`, only create the resource: if it exists, the response is 412. With ETags, only change it if it has none of them.',
    schema: { type: 'string' },
    example: '"3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11.6"',
  },
  lastEventId: {
    description:
      'The last id that you received. You first get the events since then, if they are among the last 1,000 events or not older than 10 minutes; otherwise the first event is `resync`. A browser’s EventSource sends it automatically.',
    schema: { type: 'string' },
    example: '1767605400000-0',
  },
  idempotencyKey: {
    description:
      'A string of your choice, new for each request. Repeating a request with the same key within 24 hours returns the same response, with `Idempotent-Replayed: true`, and does nothing twice. Refusals are not stored: you can retry with the same key.',
    schema: { type: 'string', pattern: idempotencyKeyPattern },
    example: 'order-4711-attempt-1',
  },
};
