import type { IncomingMessage } from 'node:http';
import { invalidKey } from '@parley/issuing';
import { Problem } from '@parley/protocol';
import type { Credentials } from '../http/authenticate.js';

const bearer = /^Bearer +(\S+) *$/i;

/**
 * As OpenAI's clients send them: the key as a bearer token, and the organization only if it is
 * configured.
 */
export const bearerCredentials: Credentials = {
  keyOf({ headersDistinct }: IncomingMessage) {
    const sent = headersDistinct['authorization'] ?? [];
    if (sent.every((value) => value === ''))
      throw new Problem('key-missing', 'Send your API key as Authorization: Bearer KEY.');
    const key = bearer.exec(sent[0] ?? '')?.[1];
    if (sent.length > 1 || key === undefined) throw invalidKey();
    return key;
  },
  organizationOf({ headersDistinct }: IncomingMessage) {
    const sent = (headersDistinct['openai-organization'] ?? []).filter((value) => value !== '');
    return sent.length === 0 ? undefined : sent.join().toLowerCase();
  },
};
