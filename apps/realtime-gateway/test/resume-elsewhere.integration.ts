import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect } from 'chai';
import { createResumePaths, hashSessionToken } from '@parley/session-store';
import { freePort, waitFor } from '@parley/testkit';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { ResumingClient } from './support/resuming-client.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';

describe('a client that comes back to another pod', () => {
  let stage: Stage;
  let provider: RawProvider;
  let owner: RunningGateway;
  let other: RunningGateway;
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const start = () => stage.startGateway({ providerUrl: provider.url, failuresPerMinute: 10 });
    [owner, other] = [await start(), await start()];
  });
  after(() => stage.close());

  const open = async () => {
    const { path } = await stage.issue({ resumable: true });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      ResumingClient.ready(owner.origin, path),
    ]);
    return { peer, client };
  };
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

  it('continues its session, which stays where it is', async () => {
    const { peer, client } = await open();
    const heard: string[] = [];
    peer.socket.on('message', (data: Buffer) => heard.push(data.toString()));
    client.socket.terminate();
    peer.socket.send('{"type":"response.output_audio.delta","n":1}');
    await client.resume({ origin: other.origin });
    expect(client.events.at(-1)).to.deep.equal({ type: 'response.output_audio.delta', n: 1 });
    client.say('{"type":"input_audio_buffer.append","n":1}');
    await waitFor(() => heard.length === 1, { what: 'the client' });
    expect([owner.gateway.activeSessions, other.gateway.activeSessions]).to.deep.equal([1, 0]);
    const gone = once(peer.socket, 'close');
    await client.leave();
    expect((await gone)[0]).to.equal(1000);
  });

  it('takes over from a connection at the first pod, and back', async () => {
    const { client } = await open();
    const first = client.socket;
    const closed = once(first, 'close');
    await client.resume({ origin: other.origin, keepOld: true });
    expect((await closed)[0]).to.equal(4413);
    const second = client.socket;
    const closedToo = once(second, 'close');
    await client.resume({ origin: owner.origin, keepOld: true });
    expect((await closedToo)[0]).to.equal(4413);
    await client.leave();
  });

  it('is refused by the owner as it would be there, and counted by its own address', async () => {
    const { client } = await open();
    const lie = `${other.origin}${client.path}&received=99`;
    const { status, body } = await refusalOf(lie, from('203.0.113.20'));
    expect([status, body]).to.deep.equal([
      400,
      {
        status: 400,
        detail: 'received is more than the client was sent.',
        errorCode: 'RealtimeSessionInvalid',
      },
    ]);
    const inBrowser = new TestClient(`${lie}&errors=close`, from('203.0.113.21'));
    expect(await inBrowser.closed).to.deep.equal({ code: 4400, reason: 'RealtimeSessionInvalid' });
    const unknown = client.path.replace(
      /resume=.*/,
      `resume=${randomBytes(32).toString('base64url')}`,
    );
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const url = `${other.origin}${unknown}&received=0`;
      statuses.push((await refusalOf(url, from('203.0.113.22'))).status);
    }
    expect(statuses).to.deep.equal([...Array<number>(10).fill(400), 429]);
    await client.resume({ origin: other.origin });
    await client.leave();
  });

  it('is told to try again if others cannot reach the pod of its session', async () => {
    const { live, redis, organizationId, agentId, conversationId } = stage.stores;
    const token = randomBytes(32).toString('base64url');
    const id = crypto.randomUUID();
    const hash = hashSessionToken(token).toString('hex');
    await createResumePaths(redis).lead(hash, { organizationId, id }, 60);
    const ids = { id, organizationId, agentId, conversationId };
    const shy = { ...ids, pod: 'elsewhere', startedAt: new Date().toISOString() };
    await live.beat('elsewhere', [shy]);
    const path = `/api/v1/Agent/${agentId}/realtime?conversationId=${conversationId}&resume=${token}`;
    const { status, headers } = await refusalOf(`${other.origin}${path}&received=0`);
    expect([status, headers['retry-after']]).to.deep.equal([503, '5']);
    const address = `127.0.0.1:${await freePort()}`;
    await live.beat('elsewhere', [{ ...shy, address }]);
    const { body } = await refusalOf(`${other.origin}${path}&received=0`);
    expect(body).to.include({ errorCode: 'RealtimeSessionInvalid' });
    await live.forget(shy);
  });

  it('is passed on by gateways only: the internal port admits nobody else', async () => {
    const { client } = await open();
    const sessionPath = (await stage.issue()).path;
    for (const path of [`${client.path}&received=2`, sessionPath, '/api/v1/Agent/x/realtime']) {
      const { status } = await refusalOf(owner.internalOrigin + path);
      expect(status).to.equal(404);
    }
    const forged = {
      'X-Parley-Peer-Time': String(Date.now()),
      'X-Parley-Peer-Client': '127.0.0.1',
      'X-Parley-Peer-Code': randomBytes(32).toString('base64url'),
    };
    const url = `${owner.internalOrigin}${client.path}&received=2`;
    expect((await refusalOf(url, { headers: forged })).status).to.equal(404);
    await client.resume({ origin: owner.origin });
    await client.leave();
  });

  it('cannot pass for a gateway by its headers', async () => {
    const { client } = await open();
    const { port } = new URL(other.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET ${client.path}&received=2 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        'X-Parley-Peer-Client: 198.51.100.1\r\nX-Parley-Peer-Time: 0\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).to.match(/^HTTP\/1\.1 101 /);
    socket.destroy();
    await client.resume();
    await client.leave();
  });

  it('loses its connection when the pod in between drains, and comes back by another', async () => {
    const between = await stage.startGateway({ providerUrl: provider.url });
    const { client } = await open();
    await client.resume({ origin: between.origin });
    await between.gateway.drain();
    await waitFor(() => client.socket.readyState === client.socket.CLOSED, { what: 'the close' });
    const refused = await refusalOf(`${between.origin}${client.path}&received=2`);
    expect(refused.status).to.equal(503);
    await client.resume({ origin: other.origin });
    expect(client.resumes).to.equal(2);
    await client.leave();
  });
});
