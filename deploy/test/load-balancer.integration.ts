import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
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

  async function backend(name: string): Promise<number> {
    const server = createServer((_request, response) => response.end(name));
    new WebSocketServer({ server }).on('connection', (socket) => socket.send(`hello from ${name}`));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }
});
