import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import express, { type Response } from 'express';
import { send } from '#src/http/send.js';
import { operations } from '@parley/protocol';
import { listen } from '@parley/service-kit';
import { waitFor } from '@parley/testkit';

describe('a streamed answer', () => {
  it('is read no faster than its reader reads, and ends when the reader leaves', async () => {
    let pulled = 0;
    let ended = false;
    let answer: Response | undefined;
    async function* chunks(): AsyncGenerator<string> {
      try {
        for (;;) {
          pulled += 1;
          await turn();
          yield 'x'.repeat(65_536);
        }
      } finally {
        ended = true;
      }
    }
    const app = express().get('/', async (incoming, response) => {
      answer = response;
      await send({ request: incoming, response }, operations.exportAuditLog, {
        mediaType: 'text/plain',
        headers: {},
        chunks: chunks(),
      });
    });
    const server = createServer(app);
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    const reader = request({ host: '127.0.0.1', port }).end();
    await once(reader, 'response');
    await waitFor(() => answer?.writableNeedDrain, { what: 'the network to be full' });
    // What the network takes until it is really full.
    let before = -1;
    await waitFor(
      async () => {
        before = pulled;
        for (let i = 0; i < 200; i += 1) await turn();
        return pulled === before;
      },
      { what: 'the source to rest' },
    );
    expect(answer?.writableLength).to.be.below(1_048_576);
    reader.destroy();
    await waitFor(() => ended, { what: 'the source to end' });
    server.close();
  });

  it('is not begun for HEAD, and of a download nothing is read after the first bytes', async () => {
    const pulled = { stream: 0, download: 0 };
    async function* chunks(of: keyof typeof pulled): AsyncGenerator<Buffer> {
      for (;;) {
        pulled[of] += 1;
        await turn();
        yield Buffer.alloc(65_536);
      }
    }
    const content = Readable.from(chunks('download'), { objectMode: false });
    const app = express()
      .get('/stream', async (incoming, response) => {
        const answer = { mediaType: 'text/plain', headers: {}, chunks: chunks('stream') };
        await send({ request: incoming, response }, operations.exportAuditLog, answer);
      })
      .get('/download', async (incoming, response) => {
        const answer = { name: 'a.txt', mediaType: 'text/plain', sizeBytes: 1e9, content };
        await send({ request: incoming, response }, operations.downloadTemporaryFile, answer);
      });
    const server = createServer(app);
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    const head = async (path: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'HEAD',
      });
      return [status, headers.get('content-length')];
    };
    expect(await head('/stream')).to.deep.equal([200, null]);
    expect(await head('/download')).to.deep.equal([200, '1000000000']);
    expect(pulled.stream).to.equal(0);
    await waitFor(() => content.closed, { what: 'the end of the download' });
    expect(pulled.download).to.be.within(1, 3);
    server.closeAllConnections();
    server.close();
  });
});
