import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  organizationOperations,
  type Operation,
  type OrganizationOperation,
} from '@parley/protocol';
import { arbitraryOf } from './arbitrary-of.js';
import { formOf, formType } from './upload.js';

type Row = [id: string, operation: OrganizationOperation];

/** In an order in which each finds what it needs: deletions come last, and that of the agent after all. */
export const everyOperation: Row[] = Object.entries<OrganizationOperation>(
  organizationOperations,
).sort((one, other) => rank(one) - rank(other));

function rank([id, { method }]: Row): number {
  return id === 'deleteAgent' ? 2 : method === 'delete' ? 1 : 0;
}

/** The same for each call, so that answers can be compared. */
export function validBody({ upload, body }: Pick<Operation, 'upload' | 'body'>): {
  body?: string | Uint8Array<ArrayBuffer>;
  type?: string;
} {
  if (upload) return { body: new Uint8Array(formOf([{ content: 'text' }])), type: formType };
  if (!body) return {};
  const valid = arbitraryOf(body, { ids: [randomUUID()], seeds: {} });
  const [sample] = fc.sample(valid, { numRuns: 1, seed: 7 });
  // One that does not exist would be 404, like what the path names.
  const fields = Object.entries(sample as object).filter(([name]) => name !== 'conversationId');
  return { body: JSON.stringify(Object.fromEntries(fields)), type: 'application/json' };
}
