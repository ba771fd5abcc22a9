import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { connectRedis } from '@parley/session-store';
import { freePort, waitFor } from '@parley/testkit';
import type { SessionRecords } from '#src/ports.js';
import { GatewayProcess } from './support/gateway-process.js';
import { startRawProvider } from './support/raw-provider.js';
import { Conversation } from './support/record.js';
import { ResumingClient } from './support/resuming-client.js';
import { defaultSettings, Stage, type RunningGateway } from './support/stage.js';
import { refusalOf } from './support/test-client.js';

describe('a session whose pod is gone', function () {
  this.timeout(60_000);
  let stage: Stage;
  let simulator: Simulator;
  let survivor: RunningGateway;
  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator({ settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 } });
    stage.onClose(() => simulator.close());
    survivor = await startPod();
  });
  after(() => stage.close());

  const startPod = () => {
    const SECRETS_KEY = stage.stores.secretsKey;
    const provider = { providerUrl: simulator.url, providerKey: 'sk-test' };
    return stage.startGateway({ ...provider, settings: { SECRETS_KEY } });
  };
  const startProcess = (env: Record<string, string> = {}) =>
    GatewayProcess.onStage(stage, simulator, env);
  const open = async (origin: string, agentId = stage.stores.agentId) => {
    const conversation = await Conversation.start(stage, agentId);
    const ids = { agentId, conversationId: conversation.id };
    const { path } = await stage.issue({ ...ids, resumable: true });
    return { conversation, client: await ResumingClient.ready(origin, path) };
  };
  const ask = (client: ResumingClient, words: string): void => {
    const content = [{ type: 'input_text', text: `!say ${words}` }];
    const item = { type: 'message', role: 'user', content };
    client.say(JSON.stringify({ type: 'conversation.item.create', item }));
    client.say('{"type":"response.create"}');
  };
  const say = async (client: ResumingClient, words: string): Promise<void> => {
    const answers = () => client.events.filter(({ type }) => type === 'response.completed').length;
    const before = answers();
    ask(client, words);
    await waitFor(() => answers() > before, { what: 'the stored answer' });
  };
  /** Until then, a client is led to the pod that is leaving, and has to try again. */
  const removed = ({ pod }: RunningGateway['gateway']) =>
    waitFor(
      async () => {
        const { live, organizationId } = stage.stores;
        const { items } = await live.list(organizationId, { offset: 0, limit: 100 });
        return items.every((session) => session.pod !== pod);
      },
      { what: 'its sessions to be recorded and removed' },
    );
  const restored = (client: ResumingClient) =>
    client.asides.findLast(({ type }) => type === 'session.resumed')?.['data'];

  /** Tries until it is let in: until the attempt before it has been given up. Its end is the close code. */
  const attempt = async (url: string): Promise<{ closed: Promise<number> }> =>
    waitFor(
      async () => {
        const socket = new WebSocket(url);
        const closed = new Promise<number>((resolve) => socket.once('close', resolve));
        const isIn = await once(socket, 'open').then(
          () => true,
          () => false,
        );
        return isIn ? { closed } : undefined;
      },
      { what: 'the gateway to let it in' },
    );

  it('is continued from the record by another one, every turn once, after a kill', async () => {
    const doomed = await startProcess();
    const { client, conversation } = await open(doomed.origin);
    await say(client, 'One.');
    await doomed.stop('SIGKILL');
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.deep.equal({ received: 0, restored: 'history' });
    await say(client, 'Two.');
    const said = await conversation.said(4);
    expect(said).to.deep.equal([
      ...['user: !say One.', 'assistant: One.', 'user: !say Two.', 'assistant: Two.'],
    ]);
    const ends = await conversation.rows(
      'select end_reason, moved_at is not null as moved, ticket from realtime_sessions where conversation_id = $1 and ended_at is not null',
    );
    expect(ends).to.deep.equal([{ end_reason: 'moved', moved: true, ticket: null }]);
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'live' });
    await client.leave();
  });

  it('is counted if its pod cannot be reached', async () => {
    const counter = 'parley_realtime_peers_unreachable_total{app="test"}';
    const [doomed, next] = [await startProcess(), await startPod()];
    expect(await next.metrics()).to.include(`${counter} 0\n`);
    const { client } = await open(doomed.origin);
    await doomed.stop('SIGKILL');
    await client.resume({ origin: next.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    expect(await next.metrics()).to.include(`${counter} 1\n`);
    await client.leave();
  });

  it('is continued at once if its pod was killed and started again at the same address', async () => {
    const address = { INTERNAL_PORT: String(await freePort()) };
    const doomed = await startProcess(address);
    const { client, conversation } = await open(doomed.origin);
    await say(client, 'One.');
    await doomed.stop('SIGKILL');
    const successor = await startProcess(address);
    await client.resume({ origin: survivor.origin });
    expect([client.refusals, restored(client)]).to.deep.equal([
      [],
      { received: 0, restored: 'history' },
    ]);
    await say(client, 'Two.');
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
    await successor.stop('SIGKILL');
  });

  it('is continued while its pod is starting again at the same address', async () => {
    const port = await freePort();
    const doomed = await startProcess({ INTERNAL_PORT: String(port) });
    const { client } = await open(doomed.origin);
    await doomed.stop('SIGKILL');
    // Its internal port answers before the gateway does.
    const starting = createServer((_request, response) => void response.writeHead(404).end());
    await once(starting.listen(port, '127.0.0.1'), 'listening');
    await client.resume({ origin: survivor.origin });
    expect([client.refusals, restored(client)]).to.deep.equal([
      [],
      { received: 0, restored: 'history' },
    ]);
    await client.leave();
    starting.close();
  });

  it('is restored once: the path leads nowhere else once the client has spoken', async () => {
    const doomed = await startProcess();
    const { client } = await open(doomed.origin);
    const { path } = client;
    await say(client, 'One.');
    await doomed.stop('SIGKILL');
    await client.resume({ origin: survivor.origin });
    await say(client, 'Two.');
    const again = await refusalOf(`${survivor.origin}${path}&received=0`);
    expect(again.body).to.include({ errorCode: 'RealtimeSessionAlreadyUsed' });
    await client.leave();
  });

  it('is continued while the pod is only frozen, which then has no say in it', async () => {
    const frozen = await startProcess();
    const { client, conversation } = await open(frozen.origin);
    await say(client, 'One.');
    frozen.freeze();
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    await say(client, 'Two.');
    frozen.thaw();
    await waitFor(() => frozen.output.includes('"msg":"session ended"'), {
      what: 'the end in the pod that was frozen',
      timeoutMs: 20_000,
    });
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
    await frozen.stop('SIGKILL');
  });

  it('moves when its pod drains, with what was said, and nothing is said twice', async () => {
    const leaving = await startPod();
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const drained = leaving.gateway.drain();
    await client.aside('session.moving');
    await client.resume({ origin: survivor.origin });
    await drained;
    expect(restored(client)).to.include({ restored: 'history' });
    await say(client, 'Two.');
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
  });

  it('is unknown to a client that names another agent or conversation, or none', async () => {
    const leaving = await startPod();
    const { client } = await open(leaving.origin);
    await leaving.gateway.drain();
    for (const wrong of [
      client.path.replace(/Agent\/[^/]+/, 'Agent/ada'),
      client.path.replace(/Agent\/[^/]+/, `Agent/${randomUUID()}`),
      client.path.replace(/conversationId=[^&]+/, 'conversationId=1'),
      client.path.replace(/conversationId=[^&]+&/, ''),
    ]) {
      const { status, body } = await refusalOf(`${survivor.origin}${wrong}&received=0`);
      expect([status, body]).to.deep.equal([
        400,
        {
          status: 400,
          detail: 'No session can be resumed with this token.',
          errorCode: 'RealtimeSessionInvalid',
        },
      ]);
    }
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    await client.leave();
  });

  it('goes on under its own ids, though its client writes them in capitals', async () => {
    const leaving = await startPod();
    const { agentId: expert, live, organizationId } = stage.stores;
    const asking = { kind: 'subagent', name: 'expert', description: 'Knows.', agentId: expert };
    const agentId = await stage.addAgent([asking]);
    const { client, conversation } = await open(leaving.origin, agentId);
    await leaving.gateway.drain();
    const path = [agentId, conversation.id].reduce(
      (text, id) => text.replace(id, id.toUpperCase()),
      client.path,
    );
    await client.resume({ path, origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    const page = { offset: 0, limit: 1, agentId, conversationId: conversation.id };
    const { items } = await live.list(organizationId, page);
    expect(items[0]).to.include({ agentId, conversationId: conversation.id });
    const content = [{ type: 'input_text', text: '!call expert {"question":"!say Yes."}' }];
    const item = { type: 'message', role: 'user', content };
    client.say(JSON.stringify({ type: 'conversation.item.create', item }));
    client.say('{"type":"response.create"}');
    const used = 'select model from usage_records where conversation_id = $1';
    const models = async () =>
      (await conversation.rows<{ model: string }>(used)).map(({ model }) => model);
    await waitFor(async () => (await models()).includes(defaultSettings.PROVIDER_TEXT_MODEL), {
      what: 'what the sub-agent used',
    });
    await client.leave();
  });

  it('is found by the same path again, wherever it is, until the client speaks', async () => {
    const [leaving, other] = [await startPod(), await startPod()];
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const { path } = client;
    const drained = leaving.gateway.drain();
    await client.aside('session.moving');
    for (const origin of [survivor.origin, survivor.origin, other.origin]) {
      await client.resume({ path, origin });
      expect(client.refusals).to.be.empty;
    }
    await drained;
    const restores = client.asides.filter(({ type }) => type === 'session.resumed');
    for (const { data } of restores)
      expect(data).to.deep.equal({ received: 0, restored: 'history' });
    expect(other.gateway.activeSessions).to.equal(0);
    await say(client, 'Two.');
    const again = await refusalOf(`${other.origin}${path}&received=0`);
    expect(again.body).to.include({ errorCode: 'RealtimeSessionInvalid' });
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
  });

  it('waits for another attempt if a pod cannot open it, and is told so meanwhile', async () => {
    const silent = await startRawProvider({ manual: true });
    stage.onClose(() => silent.close());
    const SECRETS_KEY = stage.stores.secretsKey;
    const hopeless = { providerUrl: silent.url, settings: { SECRETS_KEY } };
    const [leaving, stuck] = [await startPod(), await stage.startGateway(hopeless)];
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const drained = leaving.gateway.drain();
    await client.aside('session.moving');
    const url = `${stuck.origin}${client.path}&received=9`;
    const dialled = silent.nextSession();
    const vanishing = new WebSocket(url);
    const { socket } = await dialled;
    expect((await refusalOf(url)).status).to.equal(503);
    const left = once(socket, 'close');
    vanishing.terminate();
    await left;
    const again = silent.nextSession();
    const { closed } = await attempt(url);
    await again;
    await Promise.all([stuck.gateway.drain(), closed]);
    await client.resume({ origin: survivor.origin });
    await drained;
    expect(restored(client)).to.include({ restored: 'history' });
    await say(client, 'Two.');
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
  });

  it('waits for another attempt if its provider cannot be reached', async () => {
    const SECRETS_KEY = stage.stores.secretsKey;
    const nowhere = `http://127.0.0.1:${await freePort()}/v1`;
    const lonely = await stage.startGateway({ providerUrl: nowhere, settings: { SECRETS_KEY } });
    const leaving = await startPod();
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const drained = leaving.gateway.drain();
    await client.aside('session.moving');
    const { path } = client;
    for (let n = 0; n < 2; n += 1) {
      const { closed } = await attempt(`${lonely.origin}${path}&received=9`);
      expect(await closed).to.equal(4502);
    }
    await client.comeBack(() => survivor.origin);
    await drained;
    expect(restored(client)).to.include({ restored: 'history' });
    await say(client, 'Two.');
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
  });

  it('waits for another attempt if Redis does not say that it is registered', async () => {
    const redis = await connectRedis({ url: stage.stores.redisUrl, name: 'unheard' });
    stage.onClose(() => redis.disconnect());
    let unheard = 1;
    const deaf = new Proxy(redis, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...words: unknown[]) => {
          const reply: unknown = await Reflect.apply(value, target, words);
          if (name === 'enter-session' && unheard-- > 0) throw new Error('the reply is lost');
          return reply;
        };
      },
    });
    const SECRETS_KEY = stage.stores.secretsKey;
    const provider = { providerUrl: simulator.url, providerKey: 'sk-test' };
    const next = await stage.startGateway({ ...provider, settings: { SECRETS_KEY }, redis: deaf });
    const leaving = await startPod();
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const drained = leaving.gateway.drain();
    await client.aside('session.moving');
    await client.comeBack(() => next.origin);
    await drained;
    expect(client.refusals[0]).to.equal(503);
    expect(restored(client)).to.include({ restored: 'history' });
    await say(client, 'Two.');
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
  });

  it('waits for another attempt if PostgreSQL does not say that it is recorded', async () => {
    const { records, database, secretsKey: SECRETS_KEY } = stage.stores;
    const deaf: SessionRecords = {
      ...records,
      async restore(request) {
        expect(await records.restore(request)).to.include({ outcome: 'admitted' });
        throw new Error('the reply is lost');
      },
    };
    const provider = { providerUrl: simulator.url, providerKey: 'sk-test' };
    const next = await stage.startGateway({
      ...provider,
      settings: { SECRETS_KEY },
      records: deaf,
    });
    const leaving = await startPod();
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const drained = leaving.gateway.drain();
    await client.aside('session.moving');
    expect((await refusalOf(`${next.origin}${client.path}&received=9`)).status).to.equal(503);
    await waitFor(
      async () => {
        const ended = await database.asSystem(({ trx }) =>
          trx
            .selectFrom('realtimeSessions')
            .select('endReason')
            .where('conversationId', '=', conversation.id)
            .execute(),
        );
        return ended.length === 2 && ended.every(({ endReason }) => endReason !== null);
      },
      { what: 'the end of both to be recorded' },
    );
    await client.resume({ origin: survivor.origin });
    await drained;
    expect(restored(client)).to.include({ restored: 'history' });
    await client.leave();
  });

  it('moves also if its client is away while the pod drains', async () => {
    const leaving = await startPod();
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    client.socket.terminate();
    await waitFor(() => leaving.logs.some((line) => line.includes('client detached')), {
      what: 'the gateway to notice',
    });
    await leaving.gateway.drain();
    await removed(leaving.gateway);
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    await say(client, 'Two.');
    expect(await conversation.said(4)).to.have.length(4);
    await client.leave();
  });

  it('moves with everything that its client has heard, though the record takes its time', async () => {
    const leaving = await startPod();
    const { client, conversation } = await open(leaving.origin);
    await say(client, 'One.');
    const lock = new EventEmitter();
    const locked = stage.stores.database.asSystem(async ({ trx }) => {
      const row = trx.selectFrom('conversations').select('id').where('id', '=', conversation.id);
      await row.forNoKeyUpdate().execute();
      lock.emit('taken');
      await once(lock, 'released');
    });
    await once(lock, 'taken');
    ask(client, 'Two.');
    const answers = () => client.events.filter(({ type }) => type === 'response.done').length;
    await waitFor(() => answers() === 2, { what: 'the second answer' });
    client.socket.terminate();
    await waitFor(() => leaving.logs.some((line) => line.includes('client detached')), {
      what: 'the gateway to notice',
    });
    await leaving.gateway.drain();
    await client.resume({ origin: survivor.origin });
    expect(client.refusals.splice(0)).to.deep.equal([503]);
    lock.emit('released');
    await locked;
    await removed(leaving.gateway);
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    expect(await conversation.said(4)).to.deep.equal([
      ...['user: !say One.', 'assistant: One.', 'user: !say Two.', 'assistant: Two.'],
    ]);
    await client.leave();
  });

  it('is closed with 1012 if its client does not move', async () => {
    const leaving = await startPod();
    const { client } = await open(leaving.origin);
    await leaving.gateway.drain();
    await waitFor(() => client.closes.length > 0, { what: 'the close' });
    expect(client.closes).to.deep.equal([{ code: 1012, reason: 'ServiceRestart' }]);
    await client.resume({ origin: survivor.origin });
    expect(restored(client)).to.include({ restored: 'history' });
    await client.leave();
  });
});
