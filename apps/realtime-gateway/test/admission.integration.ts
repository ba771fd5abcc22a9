import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { sessionsOfConversation } from '@parley/database';
import { listen } from '@parley/service-kit';
import { waitFor } from '@parley/testkit';
import { insertConversation } from './support/organization.js';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { sessionPath, Stage, type RunningGateway } from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';

const upgradeHeaders =
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const offering = (protocols: string): string =>
  `Sec-WebSocket-Protocol: ${protocols}\r\n${upgradeHeaders}`;

describe('admission', () => {
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

  const open = (path: string) => TestClient.ready(running.origin + path);
  const refuse = (path: string, headers: Record<string, string> = {}) =>
    refusalOf(running.origin + path, { headers });

  describe('of a valid token', () => {
    it('opens a session, whatever key the client sends along', async () => {
      const { path } = await stage.issue();
      const client = await TestClient.ready(running.origin + path, {
        headers: { 'X-Api-Key': 'nonsense' },
      });
      expect(client.events.map(({ type }) => type)).to.deep.equal([
        'session.created',
        'session.updated',
      ]);
      await client.leave();
    });

    it('takes ids in capitals', async () => {
      const { token } = await stage.issue();
      const { agentId, conversationId } = stage.stores;
      const ids = {
        agentId: agentId.toUpperCase(),
        conversationId: conversationId.toUpperCase(),
      };
      const client = await open(sessionPath(ids, token));
      expect(client.events.at(-1)).to.include({ type: 'session.updated' });
      await client.leave();
    });

    it('answers with a subprotocol that was offered, and never with one that carries a key', async () => {
      const { path } = await stage.issue();
      const { WebSocket } = await import('ws');
      const socket = new WebSocket(running.origin + path, [
        'openai-insecure-api-key.ek_1',
        'realtime',
      ]);
      await once(socket, 'open');
      expect(socket.protocol).to.equal('realtime');
      socket.close();
      await once(socket, 'close');
    });
  });

  describe('of another token', () => {
    const cases: [what: string, code: string, path: () => Promise<string>][] = [
      ['used before', 'RealtimeSessionAlreadyUsed', usedPath],
      ['expired', 'RealtimeSessionExpired', async () => (await stage.issue({}, 0)).path],
      [
        'never issued',
        'RealtimeSessionInvalid',
        () => pathOf(randomBytes(32).toString('base64url')),
      ],
      ['that is no token', 'RealtimeSessionInvalid', () => pathOf('%00')],
      ['of 8 KB', 'RealtimeSessionInvalid', () => pathOf('x'.repeat(8000))],
      ['that is empty', 'RealtimeSessionInvalid', () => pathOf('')],
      ['given twice', 'RealtimeSessionInvalid', async () => `${await pathOf('a')}&sessionId=b`],
      [
        'of an agent that does not match',
        'RealtimeSessionInvalid',
        async () => {
          const { token } = await stage.issue();
          return sessionPath({ ...stage.stores, agentId: randomUUID() }, token);
        },
      ],
      [
        'of a conversation that does not match',
        'RealtimeSessionInvalid',
        async () => {
          const { token } = await stage.issue();
          return sessionPath({ ...stage.stores, conversationId: randomUUID() }, token);
        },
      ],
      [
        'of a conversation that was deleted',
        'RealtimeSessionInvalid',
        async () => (await stage.issue({ conversationId: randomUUID() })).path,
      ],
    ];
    for (const [what, errorCode, path] of cases) {
      it(`answers HTTP 400 with ${errorCode} to one ${what}`, async () => {
        const answer = await refuse(await path());
        expect(answer.status).to.equal(400);
        expect(answer.headers['content-type']).to.equal('application/json');
        expect(answer.body).to.have.all.keys('status', 'detail', 'errorCode');
        expect(answer.body).to.include({ status: 400, errorCode });
      });

      it(`closes the socket with ${errorCode} after one ${what}, if asked to`, async () => {
        const client = new TestClient(`${running.origin}${await path()}&errors=close`);
        const code = { RealtimeSessionExpired: 4408, RealtimeSessionAlreadyUsed: 4409 }[errorCode];
        expect(await client.closed).to.deep.equal({ code: code ?? 4400, reason: errorCode });
        expect(client.events).to.have.length(1);
        expect(client.events[0]).to.have.keys('type', 'event_id', 'error');
        expect(client.events[0]).to.deep.include({ type: 'error' });
        expect(client.events[0]!['error']).to.include({ type: 'service_error', code: errorCode });
      });
    }

    it('burns a token that was presented for another agent, and logs it', async () => {
      const { token, path } = await stage.issue();
      await refuse(sessionPath({ ...stage.stores, agentId: randomUUID() }, token));
      expect((await refuse(path)).body).to.include({ errorCode: 'RealtimeSessionAlreadyUsed' });
      expect(running.logs.join()).to.include('token-mismatch');
    });

    async function usedPath(): Promise<string> {
      const { path } = await stage.issue();
      await (await open(path)).leave();
      return path;
    }
    function pathOf(token: string): Promise<string> {
      return Promise.resolve(sessionPath(stage.stores, token));
    }
  });

  describe('of a request that is none', () => {
    it('answers 404 elsewhere', async () => {
      for (const path of ['/', '/api/v1/Agent/x/realtime/', '/api/v1/agent/x/realtime'])
        expect(await refuse(path)).to.include({ status: 404 });
      const plain = await fetch(running.origin.replace('ws', 'http'));
      expect(plain.status).to.equal(404);
    });

    it('answers 426 without an upgrade to a WebSocket', async () => {
      const url = running.origin.replace('ws', 'http') + (await stage.issue()).path;
      for (const headers of [{}, { Upgrade: 'h2c', Connection: 'Upgrade' }]) {
        const answer = await rawRequest(url, headers);
        expect(answer).to.match(/^HTTP\/1\.1 426 /);
        expect(answer).to.match(/\r\nUpgrade: websocket\r\n/i);
      }
    });

    it('answers 400 to a handshake that could not succeed, and spends no token on it', async () => {
      const { path } = await stage.issue();
      for (const broken of [
        upgradeHeaders.replace('Version: 13', 'Version: 12'),
        upgradeHeaders.replace('dGhlIHNhbXBsZSBub25jZQ==', 'short'),
        ...['', 'realtime,', 'realtime, realtime', 'my protocol'].map(offering),
      ]) {
        const answer = await rawUpgrade(path, broken);
        expect(answer).to.match(/^HTTP\/1\.1 400 /);
        expect(answer).to.include('request-malformed');
      }
      await (await open(path)).leave();
    });

    it('ends the session of a client that ws refuses after all', async () => {
      const sly = createServer().on('upgrade', (request, socket, head) => {
        running.gateway.handleUpgrade(request, socket, head);
        request.headers['sec-websocket-protocol'] = '';
      });
      const port = await listen(sly, { host: '127.0.0.1', port: 0, setting: 'PORT' });
      stage.onClose(() => void sly.close());
      const conversationId = await newConversation();
      const { path } = await stage.issue({ conversationId });
      expect(await rawUpgrade(path, upgradeHeaders, port)).to.match(/^HTTP\/1\.1 400 /);
      await waitFor(async () => (await endsOf(conversationId)).join() === 'ClientGone', {
        what: 'the end of the session in the record',
      });
      const { live, organizationId } = stage.stores;
      await waitFor(async () => (await live.count(organizationId)) === 0, { what: 'its removal' });
    });

    it('answers 403 to origins outside the list', async () => {
      const choosy = await stage.startGateway({
        providerUrl: provider.url,
        settings: { REALTIME_ALLOWED_ORIGINS: ['https://app.example.com'] },
      });
      const { path } = await stage.issue();
      for (const origin of ['https://app.example.com.evil.io', 'null', 'http://app.example.com']) {
        const answer = await refusalOf(choosy.origin + path, { origin });
        expect(answer.status).to.equal(403);
      }
      const options = { origin: 'https://app.example.com' };
      await (await TestClient.ready(choosy.origin + path, options)).leave();
    });
  });

  it('counts refusals by their reason', async () => {
    const { path } = await stage.issue({}, 0);
    await refuse(path);
    await refuse('/nowhere');
    const metrics = await running.metrics();
    for (const reason of ['RealtimeSessionExpired', 'route-not-found'])
      expect(metrics).to.match(
        new RegExp(`refused_total\\{reason="${reason}",app="test"\\} [1-9]`),
      );
  });

  async function endsOf(conversationId: string) {
    const { database, organizationId } = stage.stores;
    const { sessions } = await database.inOrganization(organizationId, (scope) =>
      sessionsOfConversation(scope, conversationId),
    );
    return sessions.map(({ endReason }) => endReason);
  }

  function newConversation(): Promise<string> {
    const { databaseUrl, organizationId, agentId } = stage.stores;
    return insertConversation(databaseUrl, organizationId, agentId);
  }

  async function rawUpgrade(
    path: string,
    headers: string,
    port = Number(new URL(running.origin).port),
  ): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\n${headers}`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  async function rawRequest(url: string, headers: Record<string, string>): Promise<string> {
    const { pathname, search } = new URL(url);
    const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers });
    return rawUpgrade(
      pathname + search,
      `${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`,
    );
  }
});
