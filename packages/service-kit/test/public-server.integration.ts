import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { listen } from '#src/listen.js';
import { createPublicServer } from '#src/public-server.js';
import { waitFor } from '@parley/testkit';

const statuses = {
  'request-malformed': 400,
  'request-timeout': 408,
  'body-too-large': 413,
  'uri-too-long': 414,
  'headers-too-large': 431,
  'expectation-failed': 417,
  'method-not-allowed': 405,
} as const;
type Refusal = keyof typeof statuses;

describe('a public server', () => {
  const servers: Server[] = [];
  /** Only one of them has no patience: what takes its time is told by it alone. */
  let [patient, hasty]: number[] = [];
  const logged: object[] = [];
  let quiet: ServerResponse | undefined;
  let closed = false;
  const start = async (timeoutMs: number, stalledMs = 60_000) => {
    const server = createPublicServer({
      stalledMs,
      server: {
        headersTimeout: timeoutMs,
        requestTimeout: timeoutMs,
        connectionsCheckingInterval: 10,
      },
      handle: (request, response) => {
        if (request.url === '/slow') return;
        if (request.url === '/quiet') return void (quiet = response.writeHead(200));
        if (request.url === '/large') {
          response.end(Buffer.alloc(largeBytes));
          return void response.once('close', () => (closed = true));
        }
        request.resume();
        request.on('end', () => response.end('handled'));
      },
      answerFor: (refusal, detail) => ({
        status: statuses[refusal],
        headers: { 'Content-Type': 'application/problem+json' },
        body: JSON.stringify({ refusal, detail }),
      }),
      logger: { info: (details: object) => void logged.push(details) },
    });
    servers.push(server);
    return listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
  };
  before(async () => {
    [patient, hasty] = [await start(60_000), await start(100)];
  });
  after(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  });

  const said = async (sent: string, port = patient!): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(sent);
    return text(socket);
  };

  const refused: [string, string, Refusal][] = [
    ['what is not HTTP', 'what?\r\n\r\n', 'request-malformed'],
    ['another version of HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'request-malformed'],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n', 'request-malformed'],
    [
      'two lengths of one body',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'request-malformed',
    ],
    [
      'a broken chunk',
      'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'request-malformed',
    ],
    [
      'endless extensions of a chunk',
      `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
      'body-too-large',
    ],
    ['a long path', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'uri-too-long'],
    [
      'large headers',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'headers-too-large',
    ],
    [
      'an expectation',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n\r\n',
      'expectation-failed',
    ],
    ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n', 'request-timeout'],
    [
      'a body that never ends',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nx',
      'request-timeout',
    ],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'method-not-allowed'],
  ];
  for (const [what, sent, refusal] of refused)
    it(`answers ${what} in its owner’s words`, async () => {
      const answer = await said(sent, refusal === 'request-timeout' ? hasty : patient);
      expect(answer).to.match(new RegExp(`^HTTP/1.1 ${statuses[refusal]} `));
      expect(answer).to.match(/content-type: application\/problem\+json\r\n/i);
      expect(answer).to.match(/connection: close\r\n/i);
      expect(answer).to.include(`"refusal":"${refusal}"`);
      const [, requestId] = /x-request-id: (\S+)/i.exec(answer) ?? [];
      expect(logged).to.deep.include({ requestId, status: statuses[refusal] });
    });

  it('serves what can be read, with and without a wait for 100', async () => {
    const plain = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    expect(await said(`${plain}\r\n`)).to.match(/^HTTP\/1.1 200 .*handled$/s);
    expect(await said(`${plain}Expect: 100-continue\r\n\r\n`)).to.match(/^HTTP\/1.1 100 /);
    expect(await said('GET / HTTP/1.0\r\n\r\n')).to.match(/handled$/);
  });

  it('tells only callers that keep their connection for how long they can use it', async () => {
    const kept = 'GET /1 HTTP/1.1\r\nHost: x\r\n\r\n';
    const last = 'GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const told = (await said(kept + last)).match(/^(?:connection|keep-alive): .*$/gim);
    expect(told).to.deep.equal([
      ...['Keep-Alive: timeout=55', 'Connection: keep-alive'],
      'Connection: close',
    ]);
  });

  const largeBytes = 50_000_000;
  it('gives up an answer that nobody reads, but not one that has nothing to send', async () => {
    const port = await start(60_000, 100);
    const [listening, unread] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    listening.write('GET /quiet HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const heard = text(listening);
    await waitFor(() => quiet, { what: 'the request of the one that listens' });
    unread.pause().write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitFor(() => closed, { what: 'the end of the answer' });
    quiet?.end('at last');
    expect(await heard).to.include('at last');
    unread.on('error', () => undefined).resume();
    await once(unread, 'close');
    expect(unread.bytesRead).to.be.lessThan(largeBytes);
  });

  it('does not answer a request in the place of the one before it', async () => {
    expect(await said('GET /slow HTTP/1.1\r\nHost: x\r\n\r\nwhat?\r\n\r\n')).to.equal('');
  });
});
