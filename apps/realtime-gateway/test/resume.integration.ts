import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { waitFor } from '@parley/testkit';
import { startRawProvider, type ProviderPeer, type RawProvider } from './support/raw-provider.js';
import { Conversation } from './support/record.js';
import { ResumingClient } from './support/resuming-client.js';
import { Stage, type RunningGateway, type StartOptions } from './support/stage.js';
import { refusalOf, TestClient } from './support/test-client.js';
import { done, start as toolStart, ToolScene } from './support/tool-scene.js';

type Talk = { running: RunningGateway; peer: ProviderPeer; client: ResumingClient };

describe('a resumable session', () => {
  let stage: Stage;
  let provider: RawProvider;
  let plain: RunningGateway;
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    plain = await stage.startGateway({ providerUrl: provider.url });
  });
  after(() => stage.close());

  const start = (options: StartOptions) =>
    stage.startGateway({ providerUrl: provider.url, ...options });
  const open = async (
    running = plain,
    { ticket, ...options }: { ackEvery?: number; ticket?: Parameters<Stage['issue']>[0] } = {},
  ): Promise<Talk> => {
    const { path } = await stage.issue({ ...ticket, resumable: true });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      ResumingClient.ready(running.origin, path, options),
    ]);
    return { running, peer, client };
  };
  const isListed = async (): Promise<boolean> => {
    const { live, organizationId, conversationId } = stage.stores;
    const page = { offset: 0, limit: 9, conversationId };
    return (await live.list(organizationId, page)).items.length > 0;
  };
  const heardBy = (peer: ProviderPeer): string[] => {
    const texts: string[] = [];
    peer.socket.on('message', (data: Buffer) => texts.push(data.toString()));
    return texts;
  };
  const logged = ({ logs }: RunningGateway, what: string) =>
    waitFor(() => logs.find((line) => line.includes(what)), { what });
  const refused = async (path: string, running = plain) => {
    const { status, body } = await refusalOf(running.origin + path);
    const { errorCode, detail } = body as { errorCode: string; detail: string };
    return { status, errorCode, detail };
  };
  /** The client's connection is cut, and the gateway has noticed. */
  const cut = async ({ client, running }: Talk): Promise<void> => {
    const { length } = running.logs;
    client.socket.terminate();
    await waitFor(
      () => running.logs.slice(length).find((line) => line.includes('client detached')),
      {
        what: 'the gateway to notice',
      },
    );
  };

  it('tells its client how to come back, and no other session does', async () => {
    const { client } = await open();
    const { agentId, conversationId } = stage.stores;
    const data = client.asides[0]!['data'] as { resumePath: string };
    expect(data).to.have.property('graceSeconds', 30);
    const path = `/api/v1/Agent/${agentId}/realtime?conversationId=${conversationId}&resume=`;
    expect(data.resumePath.slice(0, -43)).to.equal(path);
    expect(client.events.map(({ type }) => type)).to.deep.equal([
      'session.created',
      'session.updated',
    ]);
    await client.leave();
    const ordinary = await TestClient.ready(plain.origin + (await stage.issue()).path);
    ordinary.send({ type: 'response.dance' });
    await ordinary.leave();
    expect(ordinary.events.map(({ type }) => type)).to.not.include('session.resumable');
  });

  it('goes on with everything that was said meanwhile', async () => {
    const talk = await open();
    const { client, peer } = talk;
    const heard = heardBy(peer);
    client.say('{"type":"input_audio_buffer.append","n":1}');
    await waitFor(() => heard.length === 1, { what: 'the client' });
    await cut(talk);
    expect(peer.socket.readyState).to.equal(WebSocket.OPEN);
    expect(await isListed()).to.equal(true);
    peer.socket.send('{"type":"response.output_audio.delta","n":1}');
    peer.socket.send(Buffer.from([1, 2, 3]));
    client.say('{"type":"input_audio_buffer.append","n":2}');
    await client.resume();
    await waitFor(() => heard.length === 2, { what: 'the rest' });
    expect(client.got.slice(2).map(({ data, binary }) => [data.toString(), binary])).to.deep.equal([
      ['{"type":"response.output_audio.delta","n":1}', false],
      ['\u0001\u0002\u0003', true],
    ]);
    expect(heard.map((text) => (JSON.parse(text) as { n: number }).n)).to.deep.equal([1, 2]);
    const types = client.asides.map(({ type }) => type);
    expect(types).to.deep.equal(['session.resumable', 'session.resumable', 'session.resumed']);
    expect(client.asides.at(-1)?.['data']).to.deep.equal({ received: 1, restored: 'live' });
    await client.leave();
  });

  it('ends when its client says goodbye, and not when a page is left', async () => {
    const left = await open();
    left.client.socket.close(1001);
    await logged(plain, 'client detached');
    await left.client.resume();
    const gone = once(left.peer.socket, 'close');
    await left.client.leave();
    expect((await gone)[0]).to.equal(1000);
    const answer = await refused(`${left.client.path}&received=2`);
    expect(answer).to.include({ status: 400, errorCode: 'RealtimeSessionInvalid' });
  });

  it('ends when its client does not come back within the grace', async () => {
    const running = await start({ settings: { REALTIME_RESUME_GRACE_SECONDS: 1 } });
    const talk = await open(running);
    const gone = once(talk.peer.socket, 'close');
    await cut(talk);
    await gone;
    expect(await logged(running, 'session ended')).to.include('"close":"ClientGone"');
    expect(running.gateway.activeSessions).to.equal(0);
    expect(await running.metrics()).to.match(
      /resumes_total\{outcome="ClientGone",app="test"\} 1\n/,
    );
    const answer = await refused(`${talk.client.path}&received=2`, running);
    expect(answer).to.include({ errorCode: 'RealtimeSessionInvalid' });
  });

  it('is taken over while the old connection still seems open, which is heard no more', async () => {
    const { client, peer } = await open();
    const heard = heardBy(peer);
    const old = client.socket;
    const closed = once(old, 'close');
    await client.resume({ keepOld: true });
    old.send('{"type":"input_audio_buffer.append","from":"the old one"}');
    client.say('{"type":"input_audio_buffer.append","from":"the new one"}');
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, reason.toString()]).to.deep.equal([4413, 'SessionTakenOver']);
    await waitFor(() => heard.length > 0, { what: 'the client' });
    expect(heard).to.deep.equal(['{"type":"input_audio_buffer.append","from":"the new one"}']);
    await client.leave();
  });

  it('belongs to one of two sockets that race', async () => {
    const { client, peer } = await open();
    const heard = heardBy(peer);
    const url = `${plain.origin}${client.path}&received=2`;
    const both = [new TestClient(url), new TestClient(url)];
    const loser = await Promise.race(
      both.map(async (each) => (await each.closed, both.indexOf(each))),
    );
    const [winner] = both.filter((_, n) => n !== loser);
    expect(await both[loser]!.closed).to.include({ code: 4413 });
    await winner!.event('session.resumed');
    winner!.send({ type: 'input_audio_buffer.append' });
    await waitFor(() => heard.length === 1, { what: 'the winner' });
    await winner!.leave();
  });

  it('can be resumed by a path until its client speaks, and then by the next', async () => {
    const talk = await open();
    const { client, peer } = talk;
    const heard = heardBy(peer);
    const first = client.path;
    await client.resume();
    await client.resume({ path: first });
    client.say('{"type":"input_audio_buffer.append"}');
    await waitFor(() => heard.length === 1, { what: 'the client' });
    const answer = await refused(`${first}&received=2`);
    expect(answer).to.include({ status: 400, errorCode: 'RealtimeSessionAlreadyUsed' });
    await client.resume();
    expect(client.resumes).to.equal(3);
    await client.leave();
  });

  it('refuses wrong paths and false counts, and goes on', async () => {
    const { client } = await open();
    const { path } = client;
    const neighbour = await stage.neighbour();
    const { agentId, conversationId } = stage.stores;
    const others = [
      path.replace(/resume=.*/, `resume=${randomBytes(32).toString('base64url')}`),
      path.replace(agentId, neighbour.agentId),
      path.replace(conversationId, neighbour.conversationId),
      path.replace(conversationId, 'nonsense'),
      `${path}x`,
      path.slice(0, -1),
      `${path}&resume=${path.slice(-43)}`,
      `${path}&sessionId=${path.slice(-43)}`,
      `${path}&conversationId=${conversationId}`,
    ].map((wrong) => `${wrong}&received=2`);
    const counts = ['', '-1', '1.5', '0x2', '02', '1e1', '9'.repeat(15), '9'.repeat(400), 'NaN'];
    for (const wrong of [...others, path, ...counts.map((count) => `${path}&received=${count}`)]) {
      const answer = await refused(wrong);
      expect(answer, wrong).to.include({ status: 400, errorCode: 'RealtimeSessionInvalid' });
    }
    expect(await refused(`${path}&received=2&received=2`)).to.include({ status: 400 });
    expect(await refused(`${path}&received=3`))
      .to.have.property('detail')
      .that.matches(/more than/);
    expect(await refused(path))
      .to.have.property('detail')
      .that.matches(/one received/);
    client.socket.send('{"type":"session.ack","received":2}');
    await waitFor(async () => (await refused(`${path}&received=1`)).detail.includes('less than'), {
      what: 'the acknowledgement',
    });
    const close = new TestClient(`${plain.origin}${path}&received=9&errors=close`);
    expect(await close.closed).to.deep.equal({ code: 4400, reason: 'RealtimeSessionInvalid' });
    await client.resume();
    await client.leave();
  });

  it('counts wrong tokens by address, like those of new sessions', async () => {
    const running = await start({ failuresPerMinute: 3 });
    const { client } = await open(running);
    const wrong = client.path.replace(
      /resume=.*/,
      `resume=${randomBytes(32).toString('base64url')}`,
    );
    const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const url = `${running.origin}${wrong}&received=0`;
      statuses.push((await refusalOf(url, from('203.0.113.9'))).status);
    }
    expect(statuses).to.deep.equal([400, 400, 400, 429, 429]);
    await client.resume();
    await client.leave();
  });

  it('answers a false acknowledgement with an error, and goes on', async () => {
    const { client } = await open();
    for (const received of [3, Number.MAX_SAFE_INTEGER, -1, '2'])
      client.socket.send(JSON.stringify({ type: 'session.ack', event_id: 'mine', received }));
    await waitFor(() => client.got.length === 6, { what: 'the refusals' });
    for (const { type, error } of client.events.slice(2)) {
      expect(type).to.equal('error');
      expect(error).to.include({ code: 'AcknowledgementInvalid', event_id: 'mine' });
    }
    await client.resume();
    expect(client.asides.at(-1)?.['data']).to.include({ received: 0 });
    await client.leave();
  });

  it('answers an acknowledgement that asks for it, which neither counts nor is a use', async () => {
    const running = await start({ settings: { REALTIME_IDLE_TIMEOUT_SECONDS: 2 } });
    const { client } = await open(running);
    client.say('{"type":"input_audio_buffer.append"}');
    const ask = () => client.socket.send('{"type":"session.ack","received":2,"reply":true}');
    ask();
    const { data } = await client.aside('session.acknowledged');
    expect(data).to.deep.equal({ received: 1 });
    expect(client.got).to.have.lengthOf(2);
    const asking = setInterval(ask, 100);
    await waitFor(() => client.closes.length > 0, { what: 'the end' });
    clearInterval(asking);
    expect(client.closes).to.deep.equal([{ code: 4411, reason: 'IdleTimeout' }]);
  });

  describe('with little room', () => {
    const chunk = Buffer.alloc(30_000, 'x');
    const settings = { REALTIME_RESUME_BUFFER_BYTES: 65_536 };

    it('tells a client that acknowledges nothing that it can no longer be resumed', async () => {
      const running = await start({ settings });
      const { client, peer } = await open(running, { ackEvery: 0 });
      for (let n = 0; n < 3; n += 1) peer.socket.send(chunk);
      const { data } = await client.event('session.unresumable');
      expect(data).to.deep.equal({ reason: 'SessionBufferFull' });
      expect(await refused(`${client.path}&received=3`, running)).to.include({
        errorCode: 'RealtimeSessionInvalid',
      });
      await waitFor(() => client.got.length === 6, { what: 'everything' });
      const gone = once(peer.socket, 'close');
      client.socket.terminate();
      await gone;
      expect(await logged(running, 'session ended')).to.include('"close":"ClientGone"');
    });

    it('is not told to move when the instance drains and it can no longer be resumed', async () => {
      const running = await start({ settings });
      const { client, peer } = await open(running, { ackEvery: 0 });
      for (let n = 0; n < 3; n += 1) peer.socket.send(chunk);
      await client.event('session.unresumable');
      await running.gateway.drain();
      expect(client.asides.map(({ type }) => type)).not.to.include('session.moving');
      await waitFor(() => client.closes.length > 0, { what: 'the close' });
      expect(client.closes).to.deep.equal([{ code: 1012, reason: 'ServiceRestart' }]);
    });

    it('stays resumable for a client that acknowledges, however long it talks', async () => {
      const running = await start({ settings });
      const { client, peer } = await open(running, { ackEvery: 1 });
      for (let n = 0; n < 20; n += 1) {
        const { length } = client.got;
        peer.socket.send(chunk);
        await waitFor(() => client.got.length > length, { what: 'the frame' });
      }
      await client.resume();
      expect(client.resumes).to.equal(1);
      await client.leave();
    });

    it('ends if its client is away and too much is kept for it', async () => {
      const running = await start({ settings });
      const talk = await open(running);
      await cut(talk);
      const gone = once(talk.peer.socket, 'close');
      for (let n = 0; n < 3; n += 1) talk.peer.socket.send(chunk);
      await gone;
      expect(await logged(running, 'session ended')).to.include('"close":"ClientGone"');
      expect(running.gateway.activeSessions).to.equal(0);
    });

    it('gives way to younger ones when the instance has no room, oldest first', async () => {
      const running = await start({ settings: { REALTIME_RESUME_POD_BYTES: 100_000 } });
      const empty = await open(running, { ackEvery: 1 });
      const older = await open(running, { ackEvery: 0 });
      const younger = await open(running, { ackEvery: 0 });
      empty.client.socket.send('{"type":"session.ack","received":2}');
      older.peer.socket.send(chunk);
      older.peer.socket.send(chunk);
      await waitFor(() => older.client.got.length === 4, { what: 'the older one' });
      younger.peer.socket.send(chunk);
      younger.peer.socket.send(chunk);
      const { data } = await older.client.event('session.unresumable');
      expect(data).to.deep.equal({ reason: 'InstanceBufferFull' });
      const metrics = await running.metrics();
      expect(metrics).to.match(/unresumable_total\{reason="InstanceBufferFull",app="test"\} 1\n/);
      const kept = Number(/resume_buffered_bytes\{app="test"\} (\d+)/.exec(metrics)?.[1]);
      expect(kept).to.be.within(1, 100_000);
      expect(metrics).to.match(/sessions_detached\{app="test"\} 0\n/);
      for (const { client } of [empty, younger]) {
        await client.resume();
        expect(client.resumes).to.equal(1);
      }
      for (const { client } of [empty, older, younger]) await client.leave();
    });
  });

  describe('of an organization that keeps little', () => {
    it('stays resumable when another one needs all the room', async () => {
      const running = await start({ settings: { REALTIME_RESUME_POD_BYTES: 110_000 } });
      const chunk = Buffer.alloc(20_000, 'x');
      const modest = await open(running, { ackEvery: 0 });
      modest.peer.socket.send(chunk);
      await waitFor(() => modest.client.got.length === 3, { what: 'the modest one' });
      const ticket = await stage.neighbour();
      const greedy: Talk[] = [];
      for (let n = 0; n < 3; n += 1) {
        const talk = await open(running, { ackEvery: 0, ticket });
        greedy.push(talk);
        for (let sent = 1; sent <= 2; sent += 1) talk.peer.socket.send(chunk);
        await waitFor(() => talk.client.got.length >= 4, { what: 'a greedy one' });
      }
      const isOver = ({ client }: Talk) =>
        client.events.some(({ type }) => type === 'session.unresumable');
      await waitFor(() => isOver(greedy[0]!), { what: 'the oldest of the greedy ones' });
      await modest.client.resume();
      expect(modest.client.resumes).to.equal(1);
      expect([modest, ...greedy].map(isOver)).to.deep.equal([false, true, false, false]);
      for (const { client } of [modest, ...greedy]) await client.leave();
    });
  });

  describe('without a connection', () => {
    it('ends when it is revoked', async () => {
      const { live, organizationId, conversationId } = stage.stores;
      const talk = await open();
      await cut(talk);
      const gone = once(talk.peer.socket, 'close');
      const page = { offset: 0, limit: 9, conversationId };
      for (const { id } of (await live.list(organizationId, page)).items)
        await live.revoke(organizationId, id);
      await gone;
      const answer = await refused(`${talk.client.path}&received=2`);
      expect(answer).to.include({ errorCode: 'RealtimeSessionInvalid' });
      await waitFor(async () => !(await isListed()), { what: 'the end of the entry' });
    });

    it('ends when it has been idle for too long, as with a connection', async () => {
      const running = await start({ settings: { REALTIME_IDLE_TIMEOUT_SECONDS: 1 } });
      await cut(await open(running));
      expect(await logged(running, 'session ended')).to.include('"close":"IdleTimeout"');
    });

    it('goes on with another connection to the provider, and says so afterwards', async () => {
      const talk = await open();
      await cut(talk);
      talk.client.say('{"type":"input_audio_buffer.append"}');
      const next = provider.nextSession();
      talk.peer.socket.close(1001);
      const heard = heardBy(await next);
      await talk.client.resume();
      await talk.client.event('session.renewed');
      await waitFor(() => heard.some((text) => text.includes('input_audio_buffer.append')), {
        what: 'the client',
      });
      expect(talk.client.resumes).to.equal(1);
      await talk.client.leave();
    });

    it('ends when the provider does', async () => {
      const running = await start({});
      const talk = await open(running);
      await cut(talk);
      talk.peer.socket.close(3000);
      expect(await logged(running, 'session ended')).to.include('"close":"ProviderUnavailable"');
      await waitFor(() => running.gateway.activeSessions === 0, { what: 'the end' });
    });

    it('ends when the instance drains', async () => {
      const running = await start({});
      await cut(await open(running));
      await running.gateway.drain();
      expect(running.gateway.activeSessions).to.equal(0);
      expect(await logged(running, 'session ended')).to.include('"close":"ServiceRestart"');
    });
  });

  it('waits for a client that stopped reading, instead of closing its session', async () => {
    const running = await start({ limits: { stallMs: 1000 } });
    const { client, peer } = await open(running);
    client.socket.pause();
    const chunk = Buffer.alloc(256 * 1024);
    for (let n = 0; n < 20; n += 1) peer.socket.send(chunk);
    await logged(running, 'client detached');
    await client.resume();
    await waitFor(() => client.got.length === 22, { what: 'everything' });
    expect(client.got.slice(2).every(({ data }) => data.equals(chunk))).to.equal(true);
    await client.leave();
  });

  it('waits for a client that fell silent', async () => {
    const running = await start({ limits: { pingMs: 50, silenceMs: 300 } });
    const { client, peer } = await open(running);
    client.socket.pause();
    await logged(running, 'client detached');
    peer.socket.send('{"type":"response.output_audio.delta"}');
    await client.resume();
    await waitFor(() => client.got.length === 3, { what: 'what was missed' });
    expect(client.resumes).to.equal(1);
    await client.leave();
  });
});

describe('the tools of a resumable session', () => {
  let scene: ToolScene;
  before(async () => (scene = await ToolScene.open()));
  after(() => scene.stage.close());

  it('go on without a connection: what was called, asked and decided is there afterwards', async () => {
    scene.conversation = await Conversation.start(scene.stage);
    const conversationId = scene.conversation.id;
    const { path } = await scene.stage.issue({ conversationId, resumable: true });
    const client = await ResumingClient.ready(scene.running.origin, path);
    const text = '!call pay {"amount":5}';
    const content = [{ type: 'input_text', text }];
    const item = { type: 'message', role: 'user', content };
    client.say(JSON.stringify({ type: 'conversation.item.create', item }));
    client.say('{"type":"response.create"}');
    await client.event('conversation.item.added');
    client.socket.terminate();
    const { message_id: messageId } = await waitFor(
      async () => (await scene.conversation.rows<{ message_id: string }>(waitingCalls))[0],
      { what: 'the approval' },
    );
    await scene.stage.decide(messageId, 'approved');
    await waitFor(() => scene.server.calls('/paid').length === 1, { what: 'the tool' });
    await client.resume();
    await client.event(done);
    await waitFor(
      () => client.events.some(({ transcript }) => String(transcript).includes('Paid')),
      {
        what: 'the answer',
      },
    );
    const told = client.events.map(({ type }) => type).filter((type) => /invoc|appr/.test(type));
    expect(told).to.deep.equal([toolStart, 'approval.waiting', 'approval.approved', done]);
    expect(scene.server.calls('/paid')).to.have.length(1);
    await client.leave();
  });
});

const waitingCalls =
  "select message_id from tool_calls where conversation_id = $1 and approval = 'waiting'";
