import { expect } from 'chai';
import { WebSocket } from 'ws';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { GatewayProcess } from './support/gateway-process.js';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const providerKey = 'sk-e2e-0123456789abcdef';

describe('three gateway processes', () => {
  let stage: Stage;
  let simulator: Simulator;
  let gateways: GatewayProcess[];
  const tokens: string[] = [];

  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator();
    stage.onClose(() => simulator.close());
    gateways = await Promise.all([1, 2, 3].map(() => start()));
  });
  after(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await stage.close();
  });

  const start = () =>
    GatewayProcess.start({
      REDIS_URL: stage.stores.redisUrl,
      DATABASE_URL: stage.stores.databaseUrl,
      SECRETS_KEY: stage.stores.secretsKey,
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_BASE_URL: simulator.url,
      PROVIDER_API_KEY: providerKey,
      DRAIN_LAG_SECONDS: '10',
      DRAIN_TIMEOUT_SECONDS: '1',
    });
  const issue = async () => {
    const { token, path } = await stage.issue();
    tokens.push(token);
    return path;
  };

  it('open one session for 1,000 connects that race with one token', async () => {
    const path = await issue();
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, (_, n) => connect(gateways[n % 3]!.origin + path)),
    );
    expect(outcomes.filter((outcome) => outcome === 'open')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'RealtimeSessionAlreadyUsed')).to.have.length(
      999,
    );
  });

  it('refuse in their own words what is no session', async () => {
    const url = gateways[0]!.origin.replace('ws', 'http');
    const tooMuch = { headers: { 'X-Long': 'x'.repeat(20_000) } };
    expect(await (await fetch(url, tooMuch)).json()).to.include({
      type: '/docs/errors#headers-too-large',
    });
    const path = `${url}/api/v1/Agent/x/realtime`;
    expect((await fetch(path, { method: 'POST' })).headers.get('allow')).to.equal('GET');
    expect((await fetch(path)).status).to.equal(426);
  });

  it('accept any session, each of them', async () => {
    for (const { origin } of gateways) {
      const client = await TestClient.ready(origin + (await issue()));
      expect(client.events.at(-1)).to.include({ type: 'session.updated' });
      await client.leave();
    }
  });

  it('drain on SIGTERM: not ready, still accepting for a while, then every session is closed', async () => {
    const leaving = await start();
    gateways.push(leaving);
    const early = await TestClient.ready(leaving.origin + (await issue()));
    const path = await issue();
    const exit = leaving.stop('SIGTERM');
    await waitFor(async () => (await leaving.internal('/readyz')).status === 503, {
      what: 'not to be ready',
    });
    expect((await leaving.internal('/livez')).status).to.equal(200);
    const late = await TestClient.ready(leaving.origin + path);
    for (const client of [early, late])
      expect(await client.closed).to.deep.equal({ code: 1012, reason: 'ServiceRestart' });
    expect(await exit).to.equal(0);
  });

  it('never write a token, a key or a password into logs and metrics', async () => {
    const client = await TestClient.ready(gateways[0]!.origin + (await issue()));
    client.send('{"type":"session.update","session":{"instructions":"whispered words"}}');
    await client.event('session.notice');
    await client.leave();
    const running = gateways.slice(0, 3);
    const metrics = await Promise.all(running.map((gateway) => gateway.internal('/metrics')));
    const written = [
      ...gateways.flatMap(({ output }) => output.split('\n')),
      ...metrics.map(({ body }) => body),
    ];
    expect(written.join('\n')).to.include('session admitted').and.include('parley_realtime_');
    const secrets = [...tokens, providerKey, stage.stores.secretsKey, 'whispered words'];
    for (const secret of secrets)
      expect(written.filter((line) => line.includes(secret))).to.deep.equal([]);
    for (const { organizationId, agentId, conversationId } of [stage.stores])
      for (const id of [organizationId, agentId, conversationId])
        expect(metrics.map(({ body }) => body).join()).to.not.include(id);
  });
});

/** On a busy machine the stores may be late for some, who are told 503: that says nothing about the token, so they come again. */
async function connect(url: string): Promise<string> {
  const outcome = await connectOnce(url);
  return outcome === '503' ? connect(url) : outcome;
}

function connectOnce(url: string): Promise<string> {
  const socket = new WebSocket(url);
  return new Promise((resolve) => {
    socket.on('open', () => {
      socket.close();
      resolve('open');
    });
    socket.on('error', (error) => resolve(error.message));
    socket.on('unexpected-response', (_request, response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { errorCode, status } = JSON.parse(Buffer.concat(chunks).toString()) as {
          errorCode?: string;
          status: number;
        };
        resolve(errorCode ?? String(status));
      });
    });
  });
}
