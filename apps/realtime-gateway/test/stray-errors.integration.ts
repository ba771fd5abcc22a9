import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runNode, type RunningProgram } from '@parley/testkit';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { TestClient } from './support/test-client.js';

const program = fileURLToPath(new URL('fixtures/stray-gateway.js', import.meta.url));

const responseDone = JSON.stringify({
  type: 'response.done',
  response: { id: 'r', usage: { input_tokens: 1, output_tokens: 1 } },
});

describe('an error in a callback of a session', () => {
  let provider: RawProvider;
  let running: RunningProgram;
  before(async () => (provider = await startRawProvider()));
  afterEach(() => running.stop());
  after(() => provider.close());

  const start = async (where: string): Promise<string> => {
    running = runNode([program, provider.url, where]);
    const { port, id } = JSON.parse(await running.line(/"ready"/)) as { port: number; id: string };
    const token = randomBytes(32).toString('base64url');
    const query = `conversationId=${id}&sessionId=${token}`;
    return `ws://127.0.0.1:${port}/api/v1/Agent/${id}/realtime?${query}`;
  };
  const logged = async (message: string) =>
    JSON.parse(await running.line(new RegExp(message))) as { err: { message: string } };
  const goesOn = async (url: string) => {
    const client = await TestClient.ready(url);
    await client.leave();
  };

  it('closes that session with 1011 and no other', async () => {
    const url = await start('timer');
    const [peer, client, other] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(url),
      TestClient.ready(url),
    ]);
    peer.socket.send(responseDone);
    const { code, reason } = await Promise.race([client.closed, other.closed]);
    expect({ code, reason }).to.deep.equal({ code: 1011, reason: 'InternalError' });
    expect(await logged('session failed')).to.nested.include({ 'err.message': 'bug' });
    const still = [client, other].filter(({ socket }) => socket.readyState === socket.OPEN);
    expect(still).to.have.length(1);
    await still[0]?.leave();
    await goesOn(url);
  });

  it('ends nothing else when the client is away', async () => {
    const url = await start('detached');
    const session = provider.nextSession();
    const client = await TestClient.ready(url);
    const { socket } = await session;
    client.socket.terminate();
    await running.line(/client detached/);
    socket.send(responseDone);
    expect(await logged('session failed')).to.nested.include({ 'err.message': 'bug' });
    await running.line(/session ended/);
    await goesOn(url);
    expect(running.output).to.not.include('uncaught error');
  });

  it('ends nothing else when the session is just being closed', async () => {
    const url = await start('close');
    const client = await TestClient.ready(url);
    await client.leave();
    expect(await logged('session failed')).to.nested.include({ 'err.message': 'bug' });
    await goesOn(url);
  });

  it('ends an upgrade that has not been answered', async () => {
    const url = await start('admission');
    const { code } = await new TestClient(url).closed;
    expect(code).to.equal(1006);
    expect(await logged('upgrade failed')).to.nested.include({ 'err.message': 'bug' });
    await goesOn(url);
  });
});
