import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { StorageUnavailable } from '#src/chunk-store.js';
import { s3Chunks } from '#src/s3-chunks.js';

describe('an exchange with S3', () => {
  let server: Server;
  let collecting: NodeJS.Timeout;

  before(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Length': 1000 }).write('the beginning');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    collecting = setInterval(collectGarbage, 100);
  });
  after(() => {
    clearInterval(collecting);
    server.close();
    server.closeAllConnections();
  });

  it('ends in time if the rest of a response never arrives', async () => {
    const chunks = s3Chunks({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'files',
      forcePathStyle: true,
      credentials: () => Promise.resolve({ accessKeyId: 'a', secretAccessKey: 'b' }),
      requestMs: 500,
    });
    const failure: unknown = await chunks
      .read({ organizationId: 'o', id: 'i', storage: 's3' }, 0)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(StorageUnavailable);
    expect((failure as Error).message).to.equal('S3 did not respond in time.');
  });
});
