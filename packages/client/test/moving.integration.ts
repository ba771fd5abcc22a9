import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { WebSocketServer, type WebSocket } from 'ws';
import { waitFor } from '@parley/testkit';
import { RealtimeSession } from '@parley/client';

describe('a session whose instance is shut down', () => {
  let service: WebSocketServer;
  const paths: string[] = [];
  const sockets: WebSocket[] = [];
  const tell = (socket: WebSocket, type: string, data?: object) =>
    socket.send(JSON.stringify({ type, ...(data && { data }) }));
  const offer = (socket: WebSocket, resumePath: string) =>
    tell(socket, 'session.resumable', { resumePath, graceSeconds: 30 });
  before(async () => {
    service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    service.on('connection', (socket, request) => {
      paths.push(request.url ?? '');
      sockets.push(socket);
      if (paths.length === 1) {
        tell(socket, 'session.created');
        tell(socket, 'session.updated');
        offer(socket, '/first?a=b');
      } else {
        offer(socket, `/again${paths.length}?a=b`);
        tell(socket, 'session.resumed', { received: 0, restored: 'history' });
      }
    });
    await once(service, 'listening');
  });
  after(() => {
    for (const socket of sockets) socket.terminate();
    service.close();
  });

  it('moves to another one, where everything is counted from the beginning', async () => {
    const states: string[] = [];
    const session = await RealtimeSession.connect({
      baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      resume: true,
      create: ({ resumable }) => `/open?resumable=${String(resumable)}`,
    });
    session.on('state', ({ state, resumed }) => states.push(resumed ? 'resumed' : state));
    let responses = 0;
    session.on('response.created', () => (responses += 1));
    session.send({ type: 'input_audio_buffer.commit' });
    await once(sockets[0]!, 'message');
    tell(sockets[0]!, 'session.moving', { resumePath: '/moved?a=b' });
    await waitFor(() => session.state === 'open' && paths.length === 2, { what: 'the move' });
    const heard: string[] = [];
    sockets[1]!.on('message', (data: Buffer) => heard.push(data.toString()));
    tell(sockets[1]!, 'response.created');
    session.send({ type: 'input_audio_buffer.clear' });
    await waitFor(() => heard.length > 0, { what: 'the client' });
    expect(heard).to.deep.equal(['{"type":"input_audio_buffer.clear"}']);
    await waitFor(() => responses === 1, { what: 'the response' });
    sockets[1]!.terminate();
    await waitFor(() => paths.length === 3, { what: 'another connection' });
    expect(paths).to.deep.equal([
      '/open?resumable=true&errors=close',
      '/moved?a=b&received=2&errors=close',
      '/again2?a=b&received=1&errors=close',
    ]);
    await waitFor(() => states.length === 4, { what: 'the last state' });
    expect(states).to.deep.equal(['reconnecting', 'open', 'reconnecting', 'open']);
    session.close();
  });
});
