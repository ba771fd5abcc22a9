import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { findProgram, needs } from '@parley/testkit';
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
    const program = (await findProgram('haproxy')) ?? 'haproxy';
    await promisify(execFile)(program, ['-c', '-f', loadBalancerConfig]);
    const [api, gateway] = [await backend('api'), await backend('gateway')];
    balancer = await startLoadBalancer({ apis: [api], gateways: [gateway] });
  });

  after(async () => {
    await balancer.program.stop();
    for (const server of servers) server.close().closeAllConnections();
  });

  const url = (path: string) => balancer.origin + path;
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
    const logged = await balancer.program.line(/ 101 /);
    expect(logged).to.include(`GET ${agent}/realtime`);
    expect(balancer.program.output).to.not.include('top-secret-token');
  });

  async function backend(name: string): Promise<Backend> {
    const server = createServer((_request, response) => response.end(name));
    new WebSocketServer({ server }).on('connection', (socket) => socket.send(`hello from ${name}`));
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return { port, internalPort: port };
  }
});
