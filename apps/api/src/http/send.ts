import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Operation } from '@parley/protocol';
import type { Accepted, Saved, Streamed } from './call.js';
import { sendDownload, type Download } from './download.js';
import { etagOf } from './etag.js';
import type { Exchange } from './exchange.js';
import { apiPath } from './routes.js';

type Success = Operation['success'];

/**
 * Writes a response with the headers that follow from the operation's row and from the response
 * itself.
 */
export async function send(
  { request, response }: Exchange,
  { success, resumable }: Operation,
  answer: unknown,
): Promise<void> {
  // Whoever keeps listening has its response now, however long it stays.
  if (resumable) response.locals['answeredAt'] = performance.now();
  if (isStreamed(answer)) return sendStream(response, answer);
  if (success.download) return sendDownload(response, answer as Download);
  const { status, resource } = statusAndResource(success, answer);
  response.status(status);
  if (status === 204) {
    response.end();
    return;
  }
  if (status === 201) {
    const { id } = resource as { id: string };
    const of = success.location === undefined ? request.path : apiPath + success.location;
    response.setHeader('Location', `${of}/${id}`);
  }
  if (success.etag) response.setHeader('ETag', etagOf(resource as { id: string; version: number }));
  sendJson({ request, response }, resource);
}

/** Does what `response.json` does with our settings, in one write. */
function sendJson({ request, response }: Exchange, resource: unknown): void {
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  const text = JSON.stringify(resource);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

function statusAndResource(
  success: Success,
  answer: unknown,
): { status: number; resource: unknown } {
  if (success.orCreated) {
    const { created, resource } = answer as Saved<unknown>;
    return { status: created ? 201 : success.status, resource };
  }
  if (success.orAccepted) {
    const { accepted, resource } = answer as Accepted<unknown>;
    return { status: accepted ? 202 : success.status, resource };
  }
  return { status: success.status, resource: answer };
}

function isStreamed(answer: unknown): answer is Streamed {
  return typeof answer === 'object' && answer !== null && 'chunks' in answer;
}

/**
 * Streams as fast as the client reads. A client that disconnects ends the source; a source that
 * fails breaks the connection, so that nobody mistakes a part for the whole. For HEAD, the source
 * is not read at all.
 */
export async function sendStream(
  response: Response,
  { mediaType, headers, chunks, cut }: Streamed,
): Promise<void> {
  response.set(headers).setHeader('Content-Type', mediaType);
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  // The pipeline alone listens for the end several times. Together with the request's own
  // listeners, that exceeds Node's default limit.
  response.setMaxListeners(20);
  try {
    const source = Readable.from(chunks, { objectMode: false, highWaterMark: 1 });
    await pipeline(source, response, { ...(cut && { signal: cut }) });
  } catch (error) {
    if (!endedEarly.has((error as { code?: unknown }).code)) throw error;
  }
}

const endedEarly = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']);
