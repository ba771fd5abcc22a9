import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { raw, type Request, type Response } from 'express';
import { findJsonHazard, maxJsonDepth, Problem, type JsonHazard } from '@parley/protocol';

const hazards: Record<JsonHazard, string> = {
  'too-deep': `The body nests deeper than ${maxJsonDepth} levels.`,
  'repeated-key': 'The body has an object with the same key twice.',
  'forbidden-key': 'The body has a key named __proto__, which is not accepted.',
  'endless-number': 'The body has a number that is larger than a double can hold.',
  'bad-character': 'The body has a NUL character or half of a surrogate pair in a text.',
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The parsed body, and a digest that identifies its bytes. */
export type ReadBody = {
  value: unknown;
  digest: () => Buffer;
  /**
   * The digest of a body that is read while it is processed. Reads whatever is left of the body
   * first.
   */
  lateDigest?: () => Promise<string>;
};

/**
 * Reads a JSON body, and applies the limit before and after decompression. `undefined` means that
 * there was no body.
 */
export function jsonBodyReader(limit: number) {
  const readBytes = promisify(raw({ type: () => true, limit }));
  return async (request: Request, response: Response): Promise<ReadBody> => {
    if (!hasBody(request)) return noBody;
    requireJson(request);
    await readBytes(request, response);
    const bytes = request.body as Buffer;
    return { value: parse(bytes), digest: () => sha256(bytes) };
  };
}

export const noBody: ReadBody = { value: undefined, digest: () => sha256(Buffer.alloc(0)) };

export function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers['content-length'];
  return (
    request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  );
}

function requireJson(request: Request): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .toLowerCase()
    .split(';');
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='));
  const json = /^application\/([\w.+-]+\+)?json$/.test(type.trim());
  if (!json || (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)))
    throw new Problem('media-type-unsupported', 'Send the body as application/json in UTF-8.');
}

function parse(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Problem('body-malformed', 'The body is not valid UTF-8.');
  }
  if (text.trim() === '') return undefined;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('body-malformed', 'The body is not valid JSON.');
  }
  const hazard = findJsonHazard(text);
  if (hazard) throw new Problem('body-malformed', hazards[hazard]);
  return value;
}
