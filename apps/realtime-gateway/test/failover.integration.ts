import { expect } from 'chai';
import {
  createSecretBox,
  insertAgent,
  insertConnection,
  secretContext,
  setConnectionSecret,
} from '@parley/database';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { freePort, waitFor } from '@parley/testkit';
import { agentFields } from './support/organization.js';
import { startRawProvider } from './support/raw-provider.js';
import { Conversation } from './support/record.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const answered = 'response.output_audio_transcript.done';
const quick = { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 };

describe('an agent with several connections', () => {
  let stage: Stage;
  let running: RunningGateway;
  let second: Simulator;

  before(async () => {
    stage = await Stage.open();
    second = await startSimulator({ settings: quick });
    stage.onClose(() => second.close());
    running = await stage.startGateway({
      egressAllow: ['127.0.0.1'],
      settings: { REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: 1 },
    });
  });
  after(() => stage.close());

  const connect = (baseUrl: string, more: object = {}): Promise<string> => {
    const { database, organizationId, secretsKey } = stage.stores;
    const fields = { name: baseUrl, kind: 'openai-compatible', models: [], realtime: true };
    return database.inOrganization(organizationId, async (scope) => {
      const id = await insertConnection(scope, { ...fields, baseUrl, enabled: true, ...more });
      const box = createSecretBox(secretsKey);
      const sealed = box.seal('sk-of-a-connection', secretContext.connection(id));
      await setConnectionSecret(scope, id, sealed);
      return id;
    });
  };
  const enter = async ([connectionId = '', ...fallbackConnectionIds]: string[]) => {
    const { database, organizationId } = stage.stores;
    const agentId = await database.inOrganization(organizationId, (scope) =>
      insertAgent(scope, { ...agentFields([]), connectionId, fallbackConnectionIds }),
    );
    const conversation = await Conversation.start(stage, agentId);
    const { path } = await stage.issue({ agentId, conversationId: conversation.id });
    return { client: new TestClient(running.origin + path), conversation };
  };
  const ask = (client: TestClient, text: string) => {
    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    });
    client.send({ type: 'response.create' });
  };
  const nobody = async () => connect(`http://127.0.0.1:${await freePort()}/v1`);

  it('opens its sessions on the first that works', async () => {
    const hanging = await startRawProvider({
      onUpgrade: (_request, socket) => socket.resume().on('end', () => socket.end()),
    });
    stage.onClose(() => hanging.close());
    const { client } = await enter([
      await nobody(),
      await connect(second.url, { enabled: false }),
      await connect(second.url, { realtime: false }),
      await connect(second.url, { models: ['another'] }),
      await connect('http://10.0.0.1/v1'),
      await connect(hanging.url),
      await connect(second.url),
    ]);
    await client.event('session.updated');
    expect(client.events.map(({ type }) => type)).to.deep.equal([
      ...['session.created', 'session.updated'],
    ]);
    expect(second.connections().filter(({ ending }) => !ending)).to.have.length(1);
    await client.leave();
  });

  it('greets its client once, however many providers greet', async () => {
    const rude = await startRawProvider({ manual: true });
    stage.onClose(() => rude.close());
    rude.events.on('session', ({ socket }) => {
      socket.send('{"type":"session.created","session":{}}');
      socket.once('message', () => socket.close(1011, 'No.'));
    });
    const { client } = await enter([await connect(rude.url), await connect(second.url)]);
    await client.event('session.updated');
    expect(client.events.filter(({ type }) => type === 'session.created')).to.have.length(1);
    await client.leave();
  });

  it('says why the last one does not work, without its key', async () => {
    const parrot = await startRawProvider({
      onUpgrade: (_request, socket) => {
        const body = '{"error":"Bad key: sk-of-a-connection"}';
        socket.end(`HTTP/1.1 401 No\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      },
    });
    stage.onClose(() => parrot.close());
    const { client } = await enter([await nobody(), await connect(parrot.url)]);
    expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
    expect((await client.lastError()).message).to.match(/HTTP 401: Bad key: \[secret\]$/);
  });

  it('is answered by the second provider when the first dies in mid-answer', async () => {
    const first = await startSimulator({ settings: { ...quick, audioSpeed: 1 } });
    stage.onClose(() => first.close());
    const backup = await connect(second.url);
    const { client, conversation } = await enter([await connect(first.url), backup]);
    await client.event('session.updated');
    ask(client, '!say This is what I have to say to you.');
    await client.event('response.output_audio.delta');
    await first.close();
    await client.event(answered);
    expect(await client.event('session.renewed')).to.deep.equal({
      type: 'session.renewed',
      data: { reason: 'closed', connectionId: backup },
    });
    const done = client.events.filter(({ type }) => type === 'response.done');
    expect(done[0]!['response']).to.include({ status: 'cancelled' });
    await waitFor(
      async () => (await conversation.messages()).some(({ status }) => status === 'failed'),
      { what: 'the cut answer' },
    );
    expect(await conversation.said(3)).to.deep.equal([
      'user: !say This is what I have to say to you.',
      'assistant: ',
      'assistant: This is what I have to say to you.',
    ]);
    ask(client, '!say And more.');
    await client.where(({ transcript }) => transcript === 'And more.', 'the next answer');
    await client.leave();
  });
});
