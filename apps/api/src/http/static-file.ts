import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

/** A file that is the same for everybody, packed once. */
export type StaticFile = { readonly plain: Buffer; readonly gzip: Buffer; readonly tag: string };

/** The tag is weak, since it is that of the packed bytes, too. */
export function readStaticFile(path: string): StaticFile {
  const plain = readFileSync(path);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  return { plain, gzip: gzipSync(plain), tag: `W/"${hash}"` };
}

/** What has not changed since the client got it is not sent again. */
export function sendStaticFile(
  { request, response }: { request: Request; response: Response },
  { plain, gzip, tag }: StaticFile,
): void {
  response.set({ ETag: tag, Vary: 'Accept-Encoding' });
  if (request.acceptsEncodings('gzip', 'identity') === 'gzip')
    response.set('Content-Encoding', 'gzip').send(gzip);
  else response.send(plain);
}
