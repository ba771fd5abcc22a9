import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  appProgram,
  needs,
  runNode,
  testDatabase,
  testRedis,
  type RunningProgram,
} from '@parley/testkit';
import { formOf, formType } from './support/upload.js';

const main = appProgram('api');
const organizationId = '7b6f4a52-0000-4000-8000-00000000f11e';
const apiKey = 'a-key-made-by-the-operator';
const megabyte = 1024 * 1024;
/** Sizes of files, in MiB. */
const [small, large] = [5, 40];
const headers = { 'X-Api-Key': apiKey, 'X-Org-Id': organizationId };

describe('the memory of an api process that files pass through', () => {
  needs('linux');
  let program: RunningProgram;
  let base: { host: string; port: number };

  before(async () => {
    const [{ url: DATABASE_URL }, { url: REDIS_URL }] = [await testDatabase(), await testRedis()];
    program = runNode([main], {
      env: {
        DATABASE_URL,
        REDIS_URL,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        HOST: '127.0.0.1',
        PORT: '0',
        INTERNAL_PORT: '0',
        BOOTSTRAP_ORG_ID: organizationId,
        BOOTSTRAP_API_KEY: apiKey,
        TEMPORARY_FILE_MAX_BYTES: String(large * megabyte),
      },
    });
    const { port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number };
    base = { host: '127.0.0.1', port };
  });
  after(() => program.stop());

  /** Of text, generated while it is sent. */
  const upload = async (megabytes: number): Promise<string> => {
    const line = Buffer.alloc(megabyte / 16, 'All work and no play. ');
    const form = formOf([{ content: '' }]).toString();
    const end = form.lastIndexOf('\r\n--');
    function* body() {
      yield form.slice(0, end);
      for (let n = 0; n < megabytes * 16; n += 1) yield line;
      yield form.slice(end);
    }
    const sending = httpRequest({
      ...base,
      method: 'POST',
      path: '/api/v1/TemporaryFile',
      headers: { ...headers, 'Content-Type': formType },
    });
    const answer = new Promise<unknown>((resolve, reject) => {
      sending.on('response', (response) => resolve(json(response))).on('error', reject);
    });
    await pipeline(Readable.from(body()), sending);
    const { id, sizeBytes } = (await answer) as { id: string; sizeBytes: number };
    expect(sizeBytes).to.equal(megabytes * megabyte);
    return id;
  };

  const download = async (id: string): Promise<number> => {
    const url = `http://127.0.0.1:${base.port}/api/v1/TemporaryFile/${id}/content`;
    const response = await fetch(url, { headers });
    let received = 0;
    for await (const bytes of response.body ?? []) received += (bytes as Uint8Array).length;
    return received;
  };

  /** The most that the process ever had resident. */
  const peak = async (): Promise<number> => {
    const status = await readFile(`/proc/${program.child.pid ?? 0}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  };

  it('does not grow with their size', async () => {
    const passThrough = async (megabytes: number) => {
      const ids = await Promise.all(Array.from({ length: 4 }, () => upload(megabytes)));
      const sizes = await Promise.all(ids.map(download));
      expect(sizes).to.deep.equal(ids.map(() => megabytes * megabyte));
    };
    await passThrough(small);
    const before = await peak();
    await passThrough(large);
    const grown = Math.round(((await peak()) - before) / megabyte);
    console.log(`      4 × ${large} MiB after 4 × ${small} MiB: the peak grew by ${grown} MiB`);
    // Whoever held the files would need 140 MiB more for the larger ones; garbage takes some, too.
    expect(grown).to.be.lessThan(130);
  });
});
