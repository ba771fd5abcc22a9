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
};

const requestMs = 15_000;
const retries = 2;
const folder = 'temporary-files';

/** Four plain, signed requests: put, get, list and delete. */
export function s3Chunks(options: S3Options): ChunkStore & { check(): Promise<void> } {
  const { credentials, region } = options;
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
  const send = async (method: string, path: string, body?: Buffer): Promise<Response> => {
    const client = await signer();
    const response = await client
      .fetch(`${base}${path}`, {
        method,
        signal: AbortSignal.timeout(requestMs),
        ...(body && {
          body: new Uint8Array(body),
          headers: { 'X-Amz-Content-Sha256': createHash('sha256').update(body).digest('hex') },
        }),
      })
      .catch((cause: unknown) => {
        throw new StorageUnavailable('S3 cannot be reached.', { cause });
      });
    if (response.ok || (method === 'GET' && response.status === 404)) return response;
    await response.body?.cancel();
    throw failureOf(method, response.status);
  };
  return {
    /** Rejects if the bucket cannot be listed. */
    async check() {
      await keysBelow(`${folder}/none`);
    },
    chunkBytes: 1024 * 1024,
    async write(file, position, bytes) {
      const response = await send('PUT', `/${prefixOf(file)}${position}`, bytes);
      await response.body?.cancel();
    },
    async read(file, position) {
      const response = await send('GET', `/${prefixOf(file)}${position}`);
      const bytes = await bodyOf(response);
      return response.ok ? bytes : undefined;
    },
    async remove(file) {
      for (const key of await keysBelow(prefixOf(file))) {
        const response = await send('DELETE', `/${key}`);
        await response.body?.cancel();
      }
    },
  };

  /** At most a thousand, which no file exceeds. */
  async function keysBelow(prefix: string): Promise<string[]> {
    const response = await send('GET', `/?list-type=2&prefix=${encodeURIComponent(prefix)}`);
    const listing = (await bodyOf(response)).toString();
    if (!response.ok) throw new StorageUnavailable('The S3 bucket does not exist.');
    // Keys consist of hex digits, dashes and slashes, so nothing in them is ever escaped.
    return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
  }
}

function failureOf(method: string, status: number): StorageUnavailable {
  const message = `S3 answered ${method} with ${status}.`;
  const refused = method === 'DELETE' && status < 500 && status !== 429;
  return refused ? new RemovalRefused(message) : new StorageUnavailable(message);
}

async function bodyOf(response: Response): Promise<Buffer> {
  return Buffer.from(
    await response.arrayBuffer().catch((cause: unknown) => {
      throw new StorageUnavailable('S3 interrupted its response.', { cause });
    }),
  );
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
