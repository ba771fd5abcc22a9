import type { IncomingMessage } from 'node:http';
import {
  findApiKeyByHash,
  noteApiKeyUse,
  type ApiKeyRecord,
  type Database,
} from '@parley/database';
import { hashApiKey, isUuid, Problem } from '@parley/protocol';
import type { Caller } from './call.js';

const maxKeyLength = 256;

/** X-Api-Key, then X-Org-Id. Unknown, malformed and revoked keys get the same answer after the same look-up. */
export async function authenticate(request: IncomingMessage, database: Database): Promise<Caller> {
  const key = await findKey(request, database);
  const organizationId = organizationOf(request);
  if (organizationId !== key.organizationId)
    throw new Problem(
      'organization-forbidden',
      'The key does not belong to the organization in X-Org-Id.',
    );
  return {
    organizationId,
    keyId: key.id,
    scopes: key.scopes,
    actor: { kind: 'key', id: key.id, name: key.name },
  };
}

async function findKey(request: IncomingMessage, database: Database): Promise<ApiKeyRecord> {
  const sent = request.headersDistinct['x-api-key'] ?? [];
  if (sent.every((value) => value === ''))
    throw new Problem('key-missing', 'Send your API key in the X-Api-Key header.');
  const [text = ''] = sent;
  if (sent.length > 1 || text.length > maxKeyLength) throw invalidKey();
  const key = await database.asSystem(async (system) => {
    const found = await findApiKeyByHash(system, hashApiKey(text));
    if (found && !found.revokedAt) await noteApiKeyUse(system, found.id);
    return found;
  });
  if (!key || key.revokedAt) throw invalidKey();
  if (key.expiresAt && key.expiresAt <= new Date())
    throw new Problem(
      'key-expired',
      `The API key expired at ${key.expiresAt.toISOString()}. Create a new one.`,
    );
  return key;
}

function organizationOf(request: IncomingMessage): string {
  const sent = request.headersDistinct['x-org-id'] ?? [];
  if (sent.every((value) => value === ''))
    throw new Problem(
      'organization-missing',
      'Send your organization’s id in the X-Org-Id header.',
    );
  const [text = ''] = sent;
  if (sent.length > 1 || !isUuid(text))
    throw new Problem('organization-malformed', 'X-Org-Id must be one UUID.');
  return text.toLowerCase();
}

function invalidKey(): Problem {
  return new Problem('key-invalid', 'The API key is not valid. Check it, or create a new one.');
}
