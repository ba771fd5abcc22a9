import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import pTimeout from 'p-timeout';
import type { StoredFile } from '@parley/database';
import { RemovalRefused, StorageUnavailable, type ChunkStore } from './chunk-store.js';
import type { S3Credentials } from './s3-credentials.js';

export type S3Options = {
  /** AWS if absent. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Called before each request. */
  readonly credentials: () => Promise<S3Credentials>;
  readonly forcePathStyle: boolean;
  /** For a whole exchange; 15 seconds by default. */
  readonly requestMs?: number;
};

const defaultRequestMs = 15_000;
const retries = 2;
const folder = 'temporary-files';

type S3Request = {
  readonly client: AwsClient;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | undefined;
};

type S3Answer = { readonly ok: boolean; readonly bytes: Buffer };

/** Four plain, signed requests: put, get, list and delete. */
export function s3Chunks(options: S3Options): ChunkStore & { check(): Promise<void> } {
  const { credentials, region, requestMs = defaultRequestMs } = options;
  const base = bucketUrl(options);
  const signer = async (): Promise<AwsClient> => {
    const found = await pTimeout(credentials(), { milliseconds: requestMs }).catch(
      (cause: unknown) => {
        const reason = 'S3 needs S3_ACCESS_KEY_ID, or a role that provides credentials.';
        throw new StorageUnavailable(reason, { cause });
      },
    );
    return new AwsClient({ ...found, region, service: 's3', retries });
  };
  const exchange = async (request: S3Request, signal: AbortSignal): Promise<S3Answer> => {
    const { client, method, path, body } = request;
    const response = await client
      .fetch(`${base}${path}`, {
        method,
        signal,
        ...(body && {
          body: new Uint8Array(body),
          headers: { 'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex') },
        }),
      })
      .catch((cause: unknown) => {
        throw new StorageUnavailable('S3 cannot be reached.', { cause });
      });
    if (response.ok || (method === 'GET' && response.status === 404))
      return { ok: response.ok, bytes: await bodyOf(response, signal) };
    await response.body?.cancel();
    throw failureOf(method, response.status);
  };
  const send = async (method: string, path: string, body?: Buffer): Promise<S3Answer> => {
    const client = await signer();
    const over = new AbortController();
    const answer = exchange({ client, method, path, body }, over.signal);
    const message = new StorageUnavailable('S3 did not respond in time.');
    return pTimeout(answer, { milliseconds: requestMs, message }).finally(() => over.abort());
  };
  return {
    /** Rejects if the bucket cannot be listed. */
    async check() {
      await keysBelow(`${folder}/none`);
    },
    chunkBytes: 1024 * 1024,
    async write(file, position, bytes) {
      await send('PUT', `/${prefixOf(file)}${position}`, bytes);
    },
    async read(file, position) {
      const { ok, bytes } = await send('GET', `/${prefixOf(file)}${position}`);
      return ok ? bytes : undefined;
    },
    async remove(file) {
      for (const key of await keysBelow(prefixOf(file))) await send('DELETE', `/${key}`);
    },
  };

  /** At most a thousand, which no file exceeds. */
  async function keysBelow(prefix: string): Promise<string[]> {
    const { ok, bytes } = await send('GET', `/?list-type=2&prefix=${encodeURIComponent(prefix)}`);
    if (!ok) throw new StorageUnavailable('The S3 bucket does not exist.');
    // Keys consist of hex digits, dashes and slashes, so nothing in them is ever escaped.
    return [...bytes.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
  }
}

function failureOf(method: string, status: number): StorageUnavailable {
  const message = `S3 answered ${method} with ${status}.`;
  const refused = method === 'DELETE' && status < 500 && status !== 429;
  return refused ? new RemovalRefused(message) : new StorageUnavailable(message);
}

/**
 * Follows the signal itself: fetch forgets the one of a request that was collected as garbage before
 * its body has arrived.
 */
async function bodyOf(response: Response, signal: AbortSignal): Promise<Buffer> {
  if (!response.body) return Buffer.alloc(0);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
  try {
    for (let { value } = await reader.read(); value; { value } = await reader.read())
      chunks.push(value);
  } catch (cause) {
    throw new StorageUnavailable('S3 interrupted its response.', { cause });
  }
  return Buffer.concat(chunks);
}

function prefixOf({ organizationId, id }: StoredFile): string {
  return `${folder}/${organizationId}/${id}/`;
}

function bucketUrl({ endpoint, region, bucket, forcePathStyle }: S3Options): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (forcePathStyle) return `${url.origin}${path}/${bucket}`;
  return `${url.protocol}//${bucket}.${url.host}${path}`;
}
