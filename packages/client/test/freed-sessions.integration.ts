import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { WebSocketServer } from 'ws';
import { waitFor } from '@parley/testkit';
import { RealtimeSession } from '@parley/client';

describe('a session that the service ended', () => {
  it('is freed', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    service.on('connection', (socket) => {
      socket.send(JSON.stringify({ type: 'session.updated' }));
      socket.close(1000);
    });
    await once(service, 'listening');
    const port = (service.address() as AddressInfo).port;
    const ended = async () => {
      const session = await RealtimeSession.connect({
        baseUrl: `http://127.0.0.1:${port}`,
        create: () => '/open?a=b',
      });
      await waitFor(() => session.state === 'closed', { what: 'the end' });
      return new WeakRef(session);
    };
    const session = await ended();
    const isFreed = () => {
      collectGarbage();
      return session.deref() === undefined;
    };
    await waitFor(isFreed, { what: 'the session to be freed' });
    expect(isFreed()).to.equal(true);
    service.close();
  });
});
