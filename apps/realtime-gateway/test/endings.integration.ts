import { once } from 'node:events';
import { expect } from 'chai';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { freePort, waitFor } from '@parley/testkit';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { Stage, type StartOptions } from './support/stage.js';
import { TestClient } from './support/test-client.js';

describe('the end of a session', () => {
  let stage: Stage;
  let simulator: Simulator;
  let provider: RawProvider;
  let simulated: StartOptions;

  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator();
    simulated = { providerUrl: simulator.url, providerKey: 'sk-simulated' };
    provider = await startRawProvider();
    stage.onClose(() => simulator.close());
    stage.onClose(() => provider.close());
  });
  after(() => stage.close());

  const dial = async (options: StartOptions): Promise<TestClient> => {
    const { origin } = await stage.startGateway({ providerUrl: provider.url, ...options });
    return new TestClient(origin + (await stage.issue()).path);
  };
  const open = async (options: StartOptions = {}) => {
    const running = await stage.startGateway({ providerUrl: provider.url, ...options });
    const { path } = await stage.issue();
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(running.origin + path),
    ]);
    return { client, peer, running, gateway: running.gateway };
  };

  describe('when the provider does not take it', () => {
    const refusals: [model: string, reason: RegExp][] = [
      ['sim-refuse-400', /HTTP 400: OpperationNotSupported: The model does not support/],
      ['sim-refuse-401', /HTTP 401: invalid_api_key/],
      ['sim-refuse-403', /HTTP 403: model_not_found/],
      ['sim-refuse-429', /HTTP 429/],
      ['sim-refuse-503', /HTTP 503/],
      ['sim-redirect', /HTTP 30\d/],
      ['sim-close-on-open', /code 3000: invalid_request_error\.invalid_api_key/],
      ['sim-error-on-open', /server_error: The server had an error while starting/],
      ['sim-drop-on-open', /code 1006/],
      ['sim-refuse-update', /refused the session/],
    ];
    for (const [model, reason] of refusals)
      it(`is ProviderUnavailable with the provider’s reason: ${model}`, async () => {
        const client = await dial({
          ...simulated,
          settings: { REALTIME_MODEL: model },
        });
        expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
        expect((await client.lastError()).message).to.match(reason);
        expect(client.events.filter(({ type }) => type === 'error')).to.have.length(1);
      });

    it('is ProviderUnavailable when nobody listens', async () => {
      const client = await dial({ providerUrl: `http://127.0.0.1:${await freePort()}/v1` });
      expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
      const { message } = await client.lastError();
      expect(message)
        .to.match(/ECONNREFUSED/)
        .and.not.match(/127\.0\.0\.1/);
    });

    for (const model of ['sim-hang-connect', 'sim-hang-created', 'sim-ignore-update'])
      it(`is ProviderConnectTimeout when it does not become ready: ${model}`, async () => {
        const client = await dial({
          ...simulated,
          settings: { REALTIME_MODEL: model, REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: 1 },
        });
        expect(await client.closed).to.deep.equal({ code: 4504, reason: 'ProviderConnectTimeout' });
        expect(await client.lastError()).to.have.property('code', 'ProviderConnectTimeout');
      });

    it('hides a key that the provider repeats', async () => {
      const chatty = await startRawProvider({
        onUpgrade: (_request, socket) => {
          const body = '{"error":"Bad key: sk-parrot"}';
          socket.end(`HTTP/1.1 401 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        },
      });
      stage.onClose(() => chatty.close());
      const client = await dial({ providerUrl: chatty.url, providerKey: 'sk-parrot' });
      expect((await client.lastError()).message).to.match(/HTTP 401: Bad key: \[secret\]$/);
    });
  });

  const unrenewed = { REALTIME_PROVIDER_RENEWALS: 0 };

  it('is ProviderUnavailable when the provider closes, with its own code and reason', async () => {
    const { client, peer } = await open({ settings: unrenewed });
    peer.socket.close(1001, 'Your session hit the maximum duration of 60 minutes.');
    expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
    expect((await client.lastError()).message).to.include(
      '1001: Your session hit the maximum duration of 60 minutes.',
    );
  });

  it('is ProviderUnavailable when the provider is cut off', async () => {
    const { client, peer } = await open({ settings: unrenewed });
    peer.socket.terminate();
    expect(await client.closed).to.have.property('code', 4502);
  });

  it('hangs up on the provider when the client leaves or is cut off', async () => {
    for (const leave of ['close', 'terminate'] as const) {
      const { client, peer, gateway } = await open();
      const gone = once(peer.socket, 'close');
      client.socket[leave]();
      expect((await gone)[0]).to.equal(1000);
      await waitFor(() => gateway.activeSessions === 0, { what: 'the end' });
    }
  });

  it('is IdleTimeout after no data, pings notwithstanding', async () => {
    const { client } = await open({
      settings: { REALTIME_IDLE_TIMEOUT_SECONDS: 1 },
      limits: { pingMs: 100 },
    });
    expect(await client.closed).to.deep.equal({ code: 4411, reason: 'IdleTimeout' });
    expect(await client.lastError()).to.have.property('code', 'IdleTimeout');
    expect(client.pings).to.be.greaterThan(0);
  });

  it('is not IdleTimeout while data flows either way', async () => {
    const { client, peer } = await open({ settings: { REALTIME_IDLE_TIMEOUT_SECONDS: 1 } });
    let frames = 0;
    const talk = setInterval(() => {
      frames += 1;
      if (frames % 2) client.socket.send(Buffer.alloc(1));
      else peer.socket.send('{"type":"x"}');
    }, 400);
    await waitFor(() => frames > 5, { what: 'two seconds of talk' });
    clearInterval(talk);
    expect(client.socket.readyState).to.equal(client.socket.OPEN);
    expect(await client.closed).to.have.property('code', 4411);
  });

  it('is MaxSessionDuration after its longest life, announced before', async () => {
    const { client } = await open({ settings: { REALTIME_MAX_SESSION_SECONDS: 1 } });
    expect(await client.event('session.expiring')).to.deep.equal({
      type: 'session.expiring',
      data: { reason: 'MaxSessionDuration', secondsLeft: 1 },
    });
    expect(await client.closed).to.deep.equal({ code: 4410, reason: 'MaxSessionDuration' });
    expect(await client.lastError()).to.have.property('code', 'MaxSessionDuration');
  });

  it('is MaxSessionDuration when the provider’s own limit is sooner', async () => {
    const manual = await startRawProvider({ manual: true });
    stage.onClose(() => manual.close());
    const session = manual.nextSession();
    const client = await dial({ providerUrl: manual.url, settings: unrenewed });
    const { socket } = await session;
    socket.send('{"type":"session.created"}');
    await once(socket, 'message');
    const expires_at = Date.now() / 1000 + 3;
    socket.send(JSON.stringify({ type: 'session.updated', session: { expires_at } }));
    expect(await client.closed).to.deep.equal({ code: 4410, reason: 'MaxSessionDuration' });
  });

  it('is not affected by a limit of the provider that is already past', async () => {
    const client = await dial({
      ...simulated,
      settings: { REALTIME_MODEL: 'sim-stale-expiry', REALTIME_IDLE_TIMEOUT_SECONDS: 1 },
    });
    expect(await client.closed).to.have.property('code', 4411);
  });

  it('is MessageTooBig beyond the limit on client frames, and not at it', async () => {
    const { client, peer } = await open({ settings: { REALTIME_MAX_MESSAGE_BYTES: 1000 } });
    const arrived = once(peer.socket, 'message');
    client.socket.send(Buffer.alloc(1000));
    expect(((await arrived)[0] as Buffer).length).to.equal(1000);
    peer.socket.send(JSON.stringify({ type: 'x', delta: 'A'.repeat(100_000) }));
    await client.event('x');
    client.socket.send(Buffer.alloc(1001));
    expect(await client.closed).to.deep.equal({ code: 1009, reason: 'MessageTooBig' });
    expect(await client.lastError()).to.have.property('code', 'MessageTooBig');
  });

  it('is MessageTooBig when the provider exceeds its own limit', async () => {
    const { client, peer } = await open();
    peer.socket.send(Buffer.alloc(16 * 1024 * 1024 + 1));
    expect(await client.closed).to.deep.equal({ code: 1009, reason: 'MessageTooBig' });
  });

  it('is SlowConsumer for a client that does not read, in bounded memory', async () => {
    const { client, peer, running } = await open({ limits: { stallMs: 500 } });
    client.socket.pause();
    const given = once(peer.socket, 'close');
    const chunk = Buffer.alloc(256 * 1024);
    for (let n = 0; n < 256; n += 1) peer.socket.send(chunk);
    await given;
    const read = /bytes_total\{from="provider",route="binary",app="test"\} (\d+)/.exec(
      await running.metrics(),
    );
    expect(Number(read?.[1])).to.be.within(1024 * 1024, 16 * 1024 * 1024);
    client.socket.resume();
    expect(await client.closed).to.deep.equal({ code: 1013, reason: 'SlowConsumer' });
  });

  it('does not come to a client that reads again in time, and nothing is lost', async () => {
    const { client, peer } = await open();
    const before = client.frames.length;
    client.socket.pause();
    const chunk = Buffer.alloc(256 * 1024);
    for (let n = 0; n < 64; n += 1) peer.socket.send(chunk);
    await waitFor(() => peer.socket.bufferedAmount > 0, { what: 'the provider to be held back' });
    client.socket.resume();
    await waitFor(() => client.frames.length === before + 64, { what: 'all frames' });
    expect(client.socket.readyState).to.equal(client.socket.OPEN);
    await client.leave();
  });

  it('is ProviderUnavailable when the provider stops reading, in bounded memory', async () => {
    const { client, peer } = await open({ settings: unrenewed, limits: { providerStallMs: 500 } });
    peer.socket.pause();
    const chunk = Buffer.alloc(60 * 1024);
    for (let n = 0; n < 600; n += 1) client.socket.send(chunk);
    expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
    expect((await client.lastError()).message).to.match(/stopped reading/);
  });

  it('comes to a client that is silent, and to a provider that is', async () => {
    const limits = { pingMs: 50, silenceMs: 1000, providerSilenceMs: 1000 };
    const silent = await open({ limits });
    const gone = once(silent.peer.socket, 'close');
    silent.client.socket.pause();
    expect((await gone)[0]).to.equal(1000);
    silent.client.socket.resume();
    expect(await silent.client.closed).to.have.property('code', 1006);

    const deserted = await open({ settings: unrenewed, limits });
    deserted.peer.socket.pause();
    expect(await deserted.client.closed).to.have.property('code', 4502);
    expect((await deserted.client.lastError()).message).to.match(/stopped answering/);
  });

  it('does not come to peers that only answer pings', async () => {
    const { client } = await open({ limits: { pingMs: 50, silenceMs: 1000 } });
    await waitFor(() => client.pings > 30, { what: 'a while' });
    expect(client.socket.readyState).to.equal(client.socket.OPEN);
    await client.leave();
  });

  it('is InternalError for the session that meets a bug, and only for that', async () => {
    let bugs = 1;
    const { origin } = await stage.startGateway({
      providerUrl: provider.url,
      onLog: (line) => {
        if (line.includes('provider ready') && bugs-- > 0) throw new Error('a bug');
      },
    });
    const unlucky = new TestClient(origin + (await stage.issue()).path);
    expect(await unlucky.closed).to.deep.equal({ code: 1011, reason: 'InternalError' });
    expect(await unlucky.lastError()).to.have.property('code', 'InternalError');
    await (await TestClient.ready(origin + (await stage.issue()).path)).leave();
  });

  it('is InternalError when the provider cannot even be dialled, and others go on', async () => {
    const { origin, gateway } = await stage.startGateway({
      providerUrl: provider.url,
      providerKey: 'sk-“fits in no header”',
    });
    const client = new TestClient(origin + (await stage.issue()).path);
    expect(await client.closed).to.deep.equal({ code: 1011, reason: 'InternalError' });
    expect(await client.lastError()).to.have.property('code', 'InternalError');
    await waitFor(() => gateway.activeSessions === 0, { what: 'the end' });
    await (await open()).client.leave();
  });

  it('is ServiceRestart for what is left when the instance drains', async () => {
    const { origin, gateway } = await stage.startGateway({ providerUrl: provider.url });
    const clients = await Promise.all(
      Array.from({ length: 25 }, async () => TestClient.ready(origin + (await stage.issue()).path)),
    );
    const drained = gateway.drain();
    await clients[0]!.leave();
    for (const client of clients.slice(1)) {
      expect(await client.closed).to.deep.equal({ code: 1012, reason: 'ServiceRestart' });
      expect(await client.lastError()).to.have.property('code', 'ServiceRestart');
    }
    await drained;
    expect(gateway.activeSessions).to.equal(0);
  });
});
