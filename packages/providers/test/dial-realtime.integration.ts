import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { WebSocketServer, type WebSocket } from 'ws';
import { freePort, waitFor } from '@parley/testkit';
import { dialRealtime, maxProviderMessageBytes } from '#src/dial-realtime.js';
import { hideSecret } from '#src/refusal-reason.js';

describe('dialling a provider', () => {
  let server: Server;
  let url: string;
  let onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });

  before(async () => {
    server = createServer().on('upgrade', (...args) => onUpgrade(...args));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/realtime?model=m`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const refusalOf = (target = url) =>
    new Promise<string>((resolve) => dialRealtime({ url: target, headers: {} }, resolve));
  const answer = (status: string, body: string, headers = '') => {
    onUpgrade = (_request, socket) =>
      socket.end(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
  };

  it('sends the key, and neither subprotocol, extension nor beta header', async () => {
    const seen = new Promise<IncomingMessage>((resolve) => {
      onUpgrade = (request, socket, head) =>
        webSockets.handleUpgrade(request, socket, head, () => resolve(request));
    });
    const socket = dialRealtime({ url, headers: { 'api-key': 'k' } }, () => undefined);
    await once(socket, 'open');
    const { headers } = await seen;
    expect(headers).to.have.property('api-key', 'k');
    expect(headers).to.not.have.any.keys(
      'openai-beta',
      'sec-websocket-protocol',
      'sec-websocket-extensions',
      'origin',
    );
    socket.terminate();
  });

  it('takes frames up to its limit and closes with 1009 beyond', async () => {
    onUpgrade = (request, socket, head) =>
      webSockets.handleUpgrade(request, socket, head, (peer) => {
        peer.send(Buffer.alloc(maxProviderMessageBytes));
        peer.send(Buffer.alloc(maxProviderMessageBytes + 1));
      });
    const sizes: number[] = [];
    const socket = dialRealtime({ url, headers: {} }, () => undefined);
    socket.on('message', (data: Buffer) => sizes.push(data.length));
    const error = await new Promise((resolve) => socket.once('error', resolve));
    expect(sizes).to.deep.equal([maxProviderMessageBytes]);
    expect(error).to.have.property('code', 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH');
  });

  it('answers pings, but does not keep the answers for a provider that reads none', async () => {
    const joined = new Promise<WebSocket>((resolve) => {
      onUpgrade = (request, socket, head) =>
        webSockets.handleUpgrade(request, socket, head, resolve);
    });
    const socket = dialRealtime({ url, headers: {} }, () => undefined);
    await once(socket, 'open');
    const peer = await joined;
    const answered = once(peer, 'pong');
    peer.ping('beat');
    expect(String((await answered)[0])).to.equal('beat');
    peer.pause();
    let heard = 0;
    socket.on('ping', () => (heard += 1));
    for (let n = 0; n < 100_000; n += 1) peer.ping(Buffer.alloc(125));
    await waitFor(() => heard === 100_000, { what: 'all pings' });
    expect(socket.bufferedAmount).to.be.lessThan(2 * 1024 * 1024);
    socket.terminate();
    // It is paused, so it would never see that the other side is gone.
    peer.terminate();
  });

  const json = (value: unknown) => JSON.stringify(value);
  const refusals: [what: string, status: string, body: string, reason: string][] = [
    [
      'code and message',
      '400 Bad Request',
      json({ error: { code: 'OpperationNotSupported', message: 'No.' } }),
      'HTTP 400: OpperationNotSupported: No.',
    ],
    [
      'a message',
      '403 Forbidden',
      json({ error: { message: 'No.', code: null } }),
      'HTTP 403: No.',
    ],
    ['a bare text', '401 Unauthorized', json({ error: 'Who?' }), 'HTTP 401: Who?'],
    ['a web page', '502 Bad Gateway', '<html>nginx at 10.0.0.1</html>', 'HTTP 502'],
    ['nothing', '503 Service Unavailable', '', 'HTTP 503'],
    ['JSON without an error', '500 Oops', json([]), 'HTTP 500'],
  ];
  for (const [what, status, body, reason] of refusals)
    it(`tells "${reason}" when the provider answers ${status} with ${what}`, async () => {
      answer(status, body);
      expect(await refusalOf()).to.equal(reason);
    });

  it('does not follow a redirect', async () => {
    answer('302 Found', '', `Location: ${url}\r\n`);
    expect(await refusalOf()).to.equal('HTTP 302');
  });

  it('tells the kind of a network failure without the address', async () => {
    const port = await freePort();
    expect(await refusalOf(`ws://127.0.0.1:${port}`)).to.equal('no connection (ECONNREFUSED)');
  });

  it('hides a key that the provider repeats', () => {
    expect(hideSecret('Bad key: sk-12345, not sk-12345', 'sk-12345')).to.equal(
      'Bad key: [secret], not [secret]',
    );
    expect(hideSecret('as it is', null)).to.equal('as it is');
    expect(hideSecret('as it is', 'is')).to.equal('as it is');
  });
});
