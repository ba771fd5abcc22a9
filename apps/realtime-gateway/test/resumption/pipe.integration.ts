import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { pipe } from '#src/resumption/pipe.js';

describe('an upgrade that is passed on to another gateway', () => {
  let [front, peer]: Server[] = [];
  before(async () => {
    [front, peer] = [createServer(), createServer()];
    for (const server of [front, peer]) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(() => {
    front!.close();
    peer!.close();
  });

  const portOf = (server: Server | undefined) => (server!.address() as AddressInfo).port;
  const arrival = async (server: Server | undefined) => {
    const [socket] = (await once(server!, 'connection')) as [Socket];
    return socket.on('error', () => undefined);
  };
  const arrive = async () => {
    const arriving = arrival(front);
    const client = connect(portOf(front), '127.0.0.1').on('error', () => undefined);
    return { client, socket: await arriving };
  };
  const passOn = (socket: Socket, silenceMs = 60_000) => {
    const request = { url: '/realtime', rawHeaders: ['Host', 'x'] } as IncomingMessage;
    const address = `127.0.0.1:${portOf(peer)}`;
    return pipe({
      request,
      socket,
      head: Buffer.alloc(0),
      address,
      headers: {},
      connectMs: 60_000,
      silenceMs,
    });
  };

  it('carries every byte both ways, and ends with either side', async () => {
    const { client, socket } = await arrive();
    const arriving = arrival(peer);
    const passing = passOn(socket);
    const owner = await arriving;
    expect(String((await once(owner, 'data'))[0])).to.equal(
      'GET /realtime HTTP/1.1\r\nHost: x\r\n\r\n',
    );
    owner.write('hello');
    expect(await passing).to.be.an('object');
    expect(String((await once(client, 'data'))[0])).to.equal('hello');
    client.write('back');
    expect(String((await once(owner, 'data'))[0])).to.equal('back');
    owner.destroy();
    await once(client, 'close');
  });

  it('ends if the other gateway falls silent, however much the client sends', async () => {
    const { client, socket } = await arrive();
    const arriving = arrival(peer);
    const passing = passOn(socket, 100);
    const owner = await arriving;
    owner.write('hello');
    await passing;
    const talking = setInterval(() => client.write('x'), 10);
    const gone = [client.resume(), owner.resume()].map(
      (end) => new Promise((resolve) => end.once('close', resolve)),
    );
    await Promise.all(gone);
    clearInterval(talking);
    expect(client.bytesRead).to.equal('hello'.length);
  });

  it('goes on while the client does not read', async () => {
    const { client, socket } = await arrive();
    const arriving = arrival(peer);
    const passing = passOn(socket, 100);
    const owner = await arriving;
    const flood = Buffer.alloc(16 * 1024 * 1024);
    owner.write('hello');
    owner.write(flood);
    const connection = (await passing)!;
    const looks = new Promise<void>((resolve) => {
      let times = 0;
      const isPaused = connection.isPaused.bind(connection);
      connection.isPaused = () => {
        const paused = isPaused();
        if (paused && (times += 1) === 2) resolve();
        return paused;
      };
    });
    await looks;
    let got = 0;
    for await (const chunk of client as AsyncIterable<Buffer>)
      if ((got += chunk.length) === 'hello'.length + flood.length) break;
    expect(got).to.equal('hello'.length + flood.length);
    owner.destroy();
  });

  it('is not answered by a gateway that still starts, or by another server', async () => {
    const { client, socket } = await arrive();
    const arriving = arrival(peer);
    const passing = passOn(socket);
    const owner = await arriving;
    const left = new Promise((resolve) => owner.resume().once('close', resolve));
    owner.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    expect(await passing).to.equal(undefined);
    await left;
    expect([socket.destroyed, socket.bytesWritten]).to.deep.equal([false, 0]);
    client.destroy();
  });

  it('is given up, and leaves nothing open, if its client leaves before the other answers', async () => {
    const { client, socket } = await arrive();
    const arriving = arrival(peer);
    const passing = passOn(socket);
    const owner = await arriving;
    await once(owner, 'data');
    const left = new Promise((resolve) => owner.once('close', resolve));
    client.resetAndDestroy();
    expect(await passing).to.equal(undefined);
    await left;
  });

  it('is not begun for a client that has left', async () => {
    const { client, socket } = await arrive();
    const gone = new Promise((resolve) => socket.once('close', resolve));
    client.resetAndDestroy();
    await gone;
    expect(await passOn(socket)).to.equal(undefined);
  });
});
