import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import express, { type Response } from 'express';
import { bodyDeadline, liftBodyDeadline } from '#src/http/body-deadline.js';
import { listen } from '@parley/service-kit';

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

describe('the deadline of a body', () => {
  type Serve = (request: IncomingMessage, response: Response) => Promise<void> | void;

  const exchange = async (serve: Serve, talk: (socket: Socket) => Promise<void>) => {
    const app = express().use(bodyDeadline(20)).use(serve);
    const server = createServer(app);
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    try {
      await talk(socket);
    } finally {
      socket.destroy();
      server.closeAllConnections();
      server.close();
    }
  };

  it('cuts off a caller whose body does not arrive, answered or not', async () => {
    const serves: Serve[] = [
      () => undefined,
      (_request, response) => void response.sendStatus(401),
      (request) => void request.resume(),
    ];
    for (const serve of serves)
      await exchange(serve, async (socket) => {
        socket.write(`${head('/', 10)}x`);
        socket.resume();
        await once(socket, 'close');
        expect(socket.bytesWritten).to.equal(head('/', 10).length + 1);
      });
  });

  it('is told to a caller that has not been answered', async () => {
    await exchange(
      () => undefined,
      async (socket) => {
        socket.write(`${head('/', 10)}x`);
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        expect(bytes.toString()).to.match(/^HTTP\/1.1 408 .*\/docs\/errors#request-timeout/s);
      },
    );
  });

  it('does not concern an answer that takes longer, nor the next request', async () => {
    let served = 0;
    const serve: Serve = async (request, response) => {
      request.resume();
      await once(request, 'end');
      served += 1;
      setTimeout(() => response.send('done'), 60);
    };
    await exchange(serve, async (socket) => {
      for (let n = 0; n < 2; n += 1) {
        socket.write(`${head('/', 1)}x`);
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        expect(bytes.toString()).to.match(/^HTTP\/1.1 200 /);
      }
    });
    expect(served).to.equal(2);
  });

  it('is lifted for uploads', async () => {
    const serve: Serve = async (request, response) => {
      liftBodyDeadline(response);
      request.resume();
      await once(request, 'end');
      response.send('done');
    };
    await exchange(serve, async (socket) => {
      socket.write(head('/', 1));
      setTimeout(() => socket.write('x'), 60);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      expect(bytes.toString()).to.match(/^HTTP\/1.1 200 /);
    });
  });
});
