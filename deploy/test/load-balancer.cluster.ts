import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { createPublicServer, settings } from '@parley/service-kit';
import { needs, programPath, waitFor } from '@parley/testkit';
import { WebSocketServer, WebSocket } from 'ws';
import {
  loadBalancerConfig,
  startLoadBalancer,
  type Backend,
  type LoadBalancer,
} from './support/load-balancer.js';

const agent = '/api/v1/Agent/7b6f4a52-0000-4000-8000-00000000abcd';

describe('the load balancer', () => {
  needs('haproxy');
  const servers: Server[] = [];
  let balancer: LoadBalancer;

  before(async () => {
    await promisify(execFile)(programPath('haproxy'), ['-c', '-f', loadBalancerConfig]);
    const [api, gateway] = [await backend('api'), await backend('gateway')];
    balancer = await startLoadBalancer({ apis: [api], gateways: [gateway] });
  });

  after(async () => {
    await balancer.program.stop();
    for (const server of servers) server.close().closeAllConnections();
  });

  const url = (path: string) => balancer.origin + path;
  const servedBy = async (path: string) => (await fetch(url(path))).text();

  it('sends the realtime paths to the gateways, and everything else to the api', async () => {
    for (const path of [`${agent}/realtime?sessionId=x`, '/v1/realtime', '/v1/realtime?model=x'])
      expect(await servedBy(path), path).to.equal('gateway');
    const ours = [
      '/',
      '/docs',
      '/widget.js',
      '/audio-worklet.js',
      agent,
      `${agent}/realtime-session`,
      `${agent}/realtime/x`,
    ];
    for (const path of [...ours, '/v1/models', '/v1/realtime/client_secrets', '/v1/realtimes'])
      expect(await servedBy(path), path).to.equal('api');
  });

  it('passes a WebSocket through, and logs no token', async () => {
    const socket = new WebSocket(`${url(`${agent}/realtime`)}?sessionId=top-secret-token`);
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(data.toString()).to.equal('hello from gateway');
    socket.close();
    await once(socket, 'close');
    const logged = await balancer.program.line(/ 101 /);
    expect(logged).to.include(`GET ${agent}/realtime`);
    expect(balancer.program.output).to.not.include('top-secret-token');
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
    expect(await timeoutOf('tunnel')).to.be.above(settings.REALTIME_MAX_SESSION_SECONDS.default);
  });

  it('tells clients to give a connection up before it closes it', async () => {
    const { headers } = await fetch(url('/'));
    const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('Keep-Alive')!)!;
    expect(Number(seconds)).to.be.below(await timeoutOf('http-keep-alive'));
  });

  it('is healthy while it has both an api and a gateway', async () => {
    const status = async () => (await fetch(balancer.health)).status;
    const becomes = (wanted: number) =>
      waitFor(async () => (await status()) === wanted, { what: `health ${wanted}` });
    expect(await becomes(200)).to.equal(true);
    const [, gateway] = servers as [Server, Server];
    gateway.close().closeAllConnections();
    expect(await becomes(503)).to.equal(true);
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

  /** In seconds. */
  async function timeoutOf(what: string): Promise<number> {
    const config = await readFile(loadBalancerConfig, 'utf8');
    return Number(new RegExp(`^ +timeout ${what} (\\d+)s$`, 'm').exec(config)![1]);
  }

  async function backend(name: string): Promise<Backend> {
    const server = createPublicServer({
      handle: (request, response) => void answer(name, request, response),
      answerFor: () => ({ status: 400, headers: {}, body: '' }),
      logger: { info: () => undefined },
    });
    new WebSocketServer({ server }).on('connection', (socket) => socket.send(`hello from ${name}`));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, internalPort: port };
  }
});
