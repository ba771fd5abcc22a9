import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { connectDatabase, createSecretBox } from '@parley/database';
import {
  connectRedis,
  createSessionTokens,
  hashSessionToken,
  type SessionTokens,
  type TokenOutcome,
} from '@parley/session-store';
import { createMetrics } from '@parley/service-kit';
import { needs, startRedisServer, tcpProxy, waitFor } from '@parley/testkit';
import type { SessionRecords } from '#src/ports.js';
import { createSessionRecords } from '#src/records/session-records.js';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import {
  defaultSettings,
  sessionPath,
  silent,
  Stage,
  type RunningGateway,
} from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';

type Redeemed = Extract<TokenOutcome, { outcome: 'redeemed' }>;

const upgradeHeaders =
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

describe('admission among faults', () => {
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

  describe('when it cannot be done now', () => {
    const expectUnavailable = (answer: Awaited<ReturnType<typeof refusalOf>>) => {
      expect(answer.status).to.equal(503);
      expect(answer.headers['retry-after']).to.match(/^[1-9]\d*$/);
      expect(answer.body).to.include({ status: 503 }).and.not.have.property('errorCode');
    };

    describe('because Redis died', () => {
      needs('redis-server');
      it('answers 503 while Redis is away, and works again when it is back', async () => {
        const server = await startRedisServer();
        const redis = await connectRedis({ url: server.url, name: 'test' });
        stage.onClose(() => redis.disconnect());
        const tokens = createSessionTokens(redis);
        const lonely = await stage.startGateway({ providerUrl: provider.url, tokens });
        const { path } = await stage.issue();
        await server.kill();
        expectUnavailable(await refusalOf(lonely.origin + path));
        expectUnavailable(await refusalOf(`${lonely.origin}${path}&errors=close`));
        await server.restart();
        await waitFor(() => redis.status === 'ready', { what: 'Redis to be back' });
        const { token } = await tokens.issue(await ticketOf(), 60);
        await (await TestClient.ready(lonely.origin + sessionPath(stage.stores, token))).leave();
        await server.stop();
      });
    });

    it('answers 503 while PostgreSQL is away, and works again when it is back', async () => {
      const proxy = await tcpProxy({ target: stage.stores.databaseUrl });
      const database = connectDatabase({ url: proxy.url });
      stage.onClose(() => database.close());
      const secretBox = createSecretBox(stage.stores.secretsKey);
      const records = createSessionRecords({
        database,
        secretBox,
        logger: silent,
        registry: createMetrics({ app: 'test' }).registry,
        settings: defaultSettings,
      });
      const lonely = await stage.startGateway({ providerUrl: provider.url, records });
      proxy.refuse();
      proxy.cut();
      expectUnavailable(await refusalOf(lonely.origin + (await stage.issue()).path));
      proxy.heal();
      await (await TestClient.ready(lonely.origin + (await stage.issue()).path)).leave();
    });

    it('answers 503 when it is full', async () => {
      const small = await stage.startGateway({
        providerUrl: provider.url,
        settings: { REALTIME_MAX_SESSIONS: 1 },
      });
      const first = await TestClient.ready(small.origin + (await stage.issue()).path);
      const { path } = await stage.issue();
      expectUnavailable(await refusalOf(small.origin + path));
      await first.leave();
      await waitFor(() => small.gateway.activeSessions === 0, { what: 'room' });
      await (await TestClient.ready(small.origin + path)).leave();
    });

    it('answers 503 while it drains', async () => {
      const leaving = await stage.startGateway({ providerUrl: provider.url });
      await leaving.gateway.drain();
      expectUnavailable(await refusalOf(leaving.origin + (await stage.issue()).path));
    });

    it('answers RealtimeUnsupportedConnection when there is no provider to dial', async () => {
      const aimless = await stage.startGateway();
      const answer = await refusalOf(aimless.origin + (await stage.issue()).path);
      expect(answer.body).to.include({ errorCode: 'RealtimeUnsupportedConnection' });
    });
  });

  it('refuses a spent token although Redis was restored from the past', async () => {
    const { token, path } = await stage.issue();
    await (await TestClient.ready(running.origin + path)).leave();
    const redis = await connectRedis({ url: stage.stores.redisUrl, name: 'test' });
    const hash = hashSessionToken(token).toString('hex');
    const keys = await redis.keys(`*${hash}*`);
    expect(keys).to.not.be.empty;
    await redis.del(...keys);
    const deadline = Date.now() + 60_000;
    await redis.set(`parley:rt:{${hash}}:t`, `${deadline}:${JSON.stringify(await ticketOf())}`);
    redis.disconnect();
    expect((await refusalOf(running.origin + path)).body).to.include({
      errorCode: 'RealtimeSessionAlreadyUsed',
    });
  });

  it('gives the user the session although the reply of the redemption was lost', async () => {
    const proxy = await tcpProxy({ target: stage.stores.redisUrl });
    const redis = await connectRedis({ url: proxy.url, name: 'test' });
    stage.onClose(() => redis.disconnect());
    const tokens = createSessionTokens(redis);
    const shaky = await stage.startGateway({ providerUrl: provider.url, tokens });
    const { token, path } = await stage.issue();
    const cut = proxy.cutNextReply(hashSessionToken(token).toString('hex'));
    const [client] = await Promise.all([TestClient.ready(shaky.origin + path), cut]);
    expect(shaky.gateway.activeSessions).to.equal(1);
    await client.leave();
  });

  const leftOpen = () =>
    stage.stores.database.asSystem(({ trx }) =>
      trx.selectFrom('realtimeSessions').select('id').where('endedAt', 'is', null).execute(),
    );

  it('leaves no open row if Redis goes away after the session was recorded', async () => {
    const before = new Set((await leftOpen()).map(({ id }) => id));
    const proxy = await tcpProxy({ target: stage.stores.redisUrl });
    const redis = await connectRedis({ url: proxy.url, name: 'test' });
    stage.onClose(() => redis.disconnect());
    const tokens: Pick<SessionTokens, 'consume'> = {
      async consume(...asked) {
        const redeemed = await stage.stores.tokens.consume(...asked);
        proxy.refuse();
        proxy.cut();
        // As if the reply to a first attempt had been lost: then the session is not registered yet.
        const { registered, ...unregistered } = redeemed as Redeemed;
        expect(registered).to.be.at.least(1);
        return unregistered;
      },
    };
    const cutOff = await stage.startGateway({ providerUrl: provider.url, redis, tokens });
    const answer = await refusalOf(cutOff.origin + (await stage.issue()).path);
    expect(answer.status).to.equal(503);
    await waitFor(async () => (await leftOpen()).every(({ id }) => before.has(id)), {
      what: 'its end to be recorded',
    });
  });

  it('leaves no open row if PostgreSQL recorded the session, and its reply was lost', async () => {
    const before = new Set((await leftOpen()).map(({ id }) => id));
    const { records } = stage.stores;
    const deaf: SessionRecords = {
      ...records,
      async admit(request) {
        await records.admit(request);
        expect((await leftOpen()).filter(({ id }) => !before.has(id))).to.have.length(1);
        throw new Error('Connection terminated unexpectedly');
      },
    };
    const cutOff = await stage.startGateway({ providerUrl: provider.url, records: deaf });
    const answer = await refusalOf(cutOff.origin + (await stage.issue()).path);
    expect(answer.status).to.equal(503);
    await waitFor(async () => (await leftOpen()).every(({ id }) => before.has(id)), {
      what: 'its end to be recorded',
    });
  });

  it('survives clients that reset the connection while their token is checked', async () => {
    const before = new Set((await leftOpen()).map(({ id }) => id));
    const proxy = await tcpProxy({ target: stage.stores.redisUrl });
    const redis = await connectRedis({ url: proxy.url, name: 'test' });
    stage.onClose(() => redis.disconnect());
    const tokens = createSessionTokens(redis);
    const slow = await stage.startGateway({ providerUrl: provider.url, tokens });
    proxy.delay(50);
    for (let n = 0; n < 20; n += 1) {
      const { path } = await stage.issue();
      const socket = connect(Number(new URL(slow.origin).port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\n${upgradeHeaders}`, () => socket.resetAndDestroy());
    }
    proxy.heal();
    const answers = () =>
      redis.ping().then(
        () => true,
        () => false,
      );
    await waitFor(answers, { what: 'Redis again' });
    const client = await TestClient.ready(slow.origin + (await stage.issue()).path);
    expect(slow.gateway.activeSessions).to.be.at.least(1);
    await client.leave();
    await waitFor(() => slow.gateway.activeSessions === 0, { what: 'the end of all' });
    await waitFor(async () => (await leftOpen()).every(({ id }) => before.has(id)), {
      what: 'their ends to be recorded',
    });
  });

  async function ticketOf() {
    const { organizationId, keyId, agentId, conversationId } = stage.stores;
    const settings = {
      voice: 'alloy',
      inputAudioFormat: 'pcm16',
      outputAudioFormat: 'pcm16',
    } as const;
    const more = {
      additionalInstructions: null,
      clientTools: [],
      fileIds: [],
      keyId,
    };
    return Promise.resolve({ organizationId, agentId, conversationId, ...settings, ...more });
  }
});
