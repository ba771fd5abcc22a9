import { createHash } from 'node:crypto';
import { openApiDocument } from './openapi.js';

/**
 * The OpenAPI document as one short hash per operation and per schema: two contracts differ where
 * their summaries do.
 */
export function contractSummary(): Record<string, string> {
  const { paths, components } = openApiDocument('any');
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, said]) => [`${method.toUpperCase()} ${path}`, said]),
  );
  const schemas = Object.entries(components.schemas).map(([name, said]) => [
    `schema ${name}`,
    said,
  ]);
  return Object.fromEntries(
    [...operations, ...schemas].map(([name, said]) => [name, hashOf(said)] as const),
  ) as Record<string, string>;
}

function hashOf(said: unknown): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 12);
}
