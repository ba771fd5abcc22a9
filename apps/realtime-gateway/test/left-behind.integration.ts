import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient } from './support/test-client.js';

describe('sessions that have ended', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;

  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    running = await stage.startGateway({ providerUrl: provider.url });
  });
  after(() => stage.close());

  /** Each in its own way. */
  const endings: ((client: TestClient) => void)[] = [
    ({ socket }) => socket.close(1000),
    ({ socket }) => socket.terminate(),
    ({ socket }) => socket.send(Buffer.alloc(65_537)),
    (client) => {
      client.send('nonsense');
      client.socket.close(4000, 'bored');
    },
  ];

  const hold = async (sessions: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: sessions }, async (_, n) => {
        const client = await TestClient.ready(running.origin + (await stage.issue()).path);
        endings[n % endings.length]!(client);
        await client.closed;
      }),
    );
    await waitFor(() => running.gateway.activeSessions === 0, { what: 'the end of all' });
  };

  it('leave no socket and no timer behind', async () => {
    // The pools of the stores grow to their size first.
    await hold(40);
    const before = { sockets: active('TCPSocketWrap'), timers: active('Timeout') };
    for (let round = 0; round < 2; round += 1) await hold(40);
    await waitFor(
      () => active('TCPSocketWrap') <= before.sockets && active('Timeout') <= before.timers,
      { what: 'all sockets and timers to be gone' },
    );
    expect(await running.metrics()).to.include(
      'parley_realtime_sessions_admitted_total{app="test"} 120',
    );
  });
});

function active(kind: string): number {
  return process.getActiveResourcesInfo().filter((name) => name === kind).length;
}
