import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { settings } from '@parley/service-kit';
import { findProgram, freePort, needs, temporaryFolder, waitFor } from '@parley/testkit';
import { WebSocketServer, WebSocket } from 'ws';

const config = join(import.meta.dirname, '../haproxy.cfg');
const agent = '/api/v1/Agent/7b6f4a52-0000-4000-8000-00000000abcd';

describe('the load balancer', () => {
  needs('haproxy');
  const lines: string[] = [];
  const servers: Server[] = [];
  let haproxy: ChildProcess;
  let ended: Promise<unknown>;
  let port: number;

  before(async () => {
    const program = (await findProgram('haproxy')) ?? 'haproxy';
    await promisify(execFile)(program, ['-c', '-f', config]);
    const [api, gateway] = [await backend('api'), await backend('gateway')];
    port = await freePort();
    const local = (await readFile(config, 'utf8'))
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace(/^.*server-template api .*$/m, `    server api 127.0.0.1:${api} port ${api}`)
      .replace(
        /^.*server-template gateway .*$/m,
        `    server gw 127.0.0.1:${gateway} port ${gateway}`,
      )
      .replace(' init-addr none resolvers docker', '');
    const file = join(await temporaryFolder(), 'haproxy.cfg');
    await writeFile(file, local);
    haproxy = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
    ended = once(haproxy, 'close');
    for (const stream of [haproxy.stdout!, haproxy.stderr!])
      createInterface({ input: stream }).on('line', (line) => lines.push(line));
    await waitFor(async () => (await fetch(url('/')).catch(() => undefined))?.ok, {
      what: 'an answer',
    });
  });

  after(async () => {
    haproxy.kill('SIGKILL');
    await ended;
    for (const server of servers) server.close().closeAllConnections();
  });

  const url = (path: string) => `http://127.0.0.1:${port}${path}`;
  const servedBy = async (path: string) => (await fetch(url(path))).text();

  it('sends the realtime path to the gateways, and everything else to the api', async () => {
    expect(await servedBy(`${agent}/realtime?sessionId=x`)).to.equal('gateway');
    for (const path of ['/', '/docs', agent, `${agent}/realtime-session`, `${agent}/realtime/x`])
      expect(await servedBy(path), path).to.equal('api');
  });

  it('passes a WebSocket through, and logs no token', async () => {
    const socket = new WebSocket(`${url(`${agent}/realtime`)}?sessionId=top-secret-token`);
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(data.toString()).to.equal('hello from gateway');
    socket.close();
    await once(socket, 'close');
    const logged = await waitFor(() => lines.find((line) => line.includes(' 101 ')), {
      what: 'the log line',
    });
    expect(logged).to.include(`GET ${agent}/realtime`);
    expect(lines.join('\n')).to.not.include('top-secret-token');
  });

  it('passes an answer on as it is made', async () => {
    const response = await fetch(url('/stream'));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).to.equal('data: 1\n\n');
    // Only now that the first event has come does the backend end the answer.
    await fetch(url('/stream/end'));
    expect((await reader.read()).value).to.equal('data: 2\n\n');
    expect((await reader.read()).done).to.equal(true);
  });

  it('takes the largest file', async () => {
    const body = new Uint8Array(settings.TEMPORARY_FILE_MAX_BYTES.default);
    const response = await fetch(url('/upload'), { method: 'POST', body });
    expect(await response.text()).to.equal(String(body.length));
  });

  it('leaves a session open for longer than it may last', async () => {
    const [, seconds] = /^ +timeout tunnel (\d+)s$/m.exec(await readFile(config, 'utf8'))!;
    expect(Number(seconds)).to.be.above(settings.REALTIME_MAX_SESSION_SECONDS.default);
  });

  let endStream = (): unknown => undefined;

  async function answer(name: string, request: IncomingMessage, response: ServerResponse) {
    if (request.url === '/stream') {
      endStream = () => response.end('data: 2\n\n');
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
      return;
    }
    if (request.url === '/stream/end') endStream();
    const isUpload = request.url === '/upload';
    response.end(isUpload ? String((await buffer(request)).length) : name);
  }

  async function backend(name: string): Promise<number> {
    const server = createServer((request, response) => void answer(name, request, response));
    new WebSocketServer({ server }).on('connection', (socket) => socket.send(`hello from ${name}`));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
});
