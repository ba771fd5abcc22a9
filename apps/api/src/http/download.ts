import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Response } from 'express';
import { closed } from './closed.js';

export type Download = {
  readonly name: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly content: Readable;
};

/**
 * Sends a caller's file as an attachment that no browser displays or runs. Nothing is sent before
 * the first bytes are available; for HEAD, nothing is read after them.
 */
export async function sendDownload(response: Response, download: Download): Promise<void> {
  const { name, mediaType, sizeBytes, content } = download;
  const gone = closed(response);
  let sent = 0;
  try {
    for await (const bytes of content as AsyncIterable<Buffer>) {
      if (sent === 0) {
        response.attachment(name).setHeader('Content-Type', mediaType);
        response.setHeader('Content-Length', sizeBytes);
        response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
      }
      if (response.req.method === 'HEAD') {
        response.end();
        return;
      }
      sent += bytes.length;
      if (!response.write(bytes)) await once(response, 'drain', { signal: gone });
    }
  } catch (error) {
    // A caller that disconnects does not want the rest.
    if (gone.aborted) return;
    throw error;
  }
  if (sent !== sizeBytes) throw new Error('A stored file has lost some of its bytes.');
  response.end();
}
