import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Exchange } from './exchange.js';

/** A file that is the same for everybody, compressed once. */
export type StaticFile = { readonly plain: Buffer; readonly gzip: Buffer; readonly tag: string };

/** The tag is weak, because it also applies to the compressed bytes. */
export function readStaticFile(path: string): StaticFile {
  const plain = readFileSync(path);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  return { plain, gzip: gzipSync(plain), tag: `W/"${hash}"` };
}

/** Does not send a file again that has not changed since the client got it. */
export function sendStaticFile(
  { request, response }: Exchange,
  { plain, gzip, tag }: StaticFile,
): void {
  response.set({ ETag: tag, Vary: 'Accept-Encoding' });
  if (request.acceptsEncodings('gzip', 'identity') === 'gzip')
    response.set('Content-Encoding', 'gzip').send(gzip);
  else response.send(plain);
}
