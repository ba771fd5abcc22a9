import { once } from 'node:events';
import { expect } from 'chai';
import { connectDatabase, createSecretBox } from '@parley/database';
import { createMetrics } from '@parley/service-kit';
import { countedStores, waitFor } from '@parley/testkit';
import { createSessionRecords } from '#src/records/session-records.js';
import { startRawProvider, type RawProvider } from './support/raw-provider.js';
import { defaultSettings, silent, Stage, type RunningGateway } from './support/stage.js';
import { TestClient, type Event } from './support/test-client.js';
import { ToolServer } from './support/tool-server.js';

const created = '{"type":"session.created","event_id":"e1","session":{"type":"realtime"}}';
const updated = '{"type":"session.updated","event_id":"e2","session":{"type":"realtime"}}';

describe('opening a session whose tools have to be listed', () => {
  let stage: Stage;
  let server: ToolServer;
  let provider: RawProvider;
  let running: RunningGateway;

  before(async () => {
    server = await ToolServer.start();
    stage = await Stage.open([{ kind: 'mcp', name: 'things', serverUrl: `${server.origin}/mcp` }]);
    stage.onClose(() => server.close());
    provider = await startRawProvider({ manual: true });
    stage.onClose(() => provider.close());
    // Shorter than servers have for their lists: the provider is not blamed for them.
    const settings = { REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: 1 };
    running = await stage.startGateway({ providerUrl: provider.url, settings });
  });
  beforeEach(() => (server.abandoned = 0));
  after(() => stage.close());

  /** A list that is asked for, and waits until it is let go. */
  const held = () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = new Promise<void>((resolve) => {
      server.listing = () => {
        resolve();
        return released;
      };
    });
    return { asked, release };
  };
  const enter = async () => new TestClient(running.origin + (await stage.issue()).path);
  const toolsIn = (message: Buffer): string[] => {
    const event = JSON.parse(message.toString()) as Event & {
      session: { tools: { name: string }[] };
    };
    expect(event.type).to.equal('session.update');
    return event.session.tools.map(({ name }) => name);
  };

  it('dials the provider before they are', async () => {
    const dialled = provider.nextSession();
    server.listing = () => dialled;
    const client = await enter();
    const { socket } = await dialled;
    const heard = once(socket, 'message') as Promise<[Buffer]>;
    socket.send(created);
    expect(toolsIn((await heard)[0])).to.deep.equal(['echo']);
    socket.send(updated);
    await client.event('session.updated');
    await client.leave();
  });

  it('configures it once they are, however long after its greeting', async () => {
    const { asked, release } = held();
    const dialled = provider.nextSession();
    const client = await enter();
    const [{ socket }] = await Promise.all([dialled, asked]);
    const messages: Buffer[] = [];
    socket.on('message', (message: Buffer) => messages.push(message));
    socket.send(created);
    await client.event('session.created');
    expect(messages).to.deep.equal([]);
    release();
    await once(socket, 'message');
    expect(messages.map(toolsIn)).to.deep.equal([['echo']]);
    await client.leave();
  });

  for (const [who, leave] of [
    ['the provider closes', ({ provider: end }: Ends) => end.close(1001)],
    ['the client leaves', ({ client }: Ends) => client.socket.close()],
  ] as const)
    it(`leaves nothing open when ${who} meanwhile`, async () => {
      const { asked, release } = held();
      const dialled = provider.nextSession();
      const client = await enter();
      const [{ socket }] = await Promise.all([dialled, asked]);
      const hungUp = once(socket, 'close');
      leave({ provider: socket, client });
      await Promise.all([hungUp, client.closed]);
      await waitFor(() => server.abandoned === 1, { what: 'the list to be given up' });
      await waitFor(() => running.gateway.activeSessions === 0, { what: 'the end of the session' });
      release();
      expect(running.logs.join()).not.to.include('mcp server or tool skipped');
    });

  it('leaves nothing open when the provider refuses', async () => {
    const { asked, release } = held();
    const refusing = await startRawProvider({
      onUpgrade: (_request, socket) =>
        void asked.then(() => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')),
    });
    stage.onClose(() => refusing.close());
    const { origin, gateway } = await stage.startGateway({ providerUrl: refusing.url });
    const client = new TestClient(origin + (await stage.issue()).path);
    expect(await client.closed).to.deep.equal({ code: 4502, reason: 'ProviderUnavailable' });
    await waitFor(() => server.abandoned === 1, { what: 'the list to be given up' });
    await waitFor(() => gateway.activeSessions === 0, { what: 'the end of the session' });
    release();
  });

  it('asks PostgreSQL twice, for the agent with its secrets and to commit', async () => {
    const { databaseUrl, redisUrl, secretsKey } = stage.stores;
    const stores = await countedStores({ postgres: databaseUrl, redis: redisUrl });
    stage.onClose(() => stores.stop());
    const database = connectDatabase({ url: stores.postgresUrl, poolSize: 1 });
    stage.onClose(() => database.close());
    const { registry } = createMetrics({ app: 'test' });
    const secretBox = createSecretBox(secretsKey);
    const stored = { database, secretBox, registry, logger: silent, settings: defaultSettings };
    const records = createSessionRecords(stored);
    stage.onClose(() => records.close());
    const willing = await startRawProvider();
    stage.onClose(() => willing.close());
    const { origin, gateway } = await stage.startGateway({
      providerUrl: willing.url,
      records,
      database,
    });
    server.listing = () => Promise.resolve();
    const opened = async () => {
      const { path } = await stage.issue();
      return stores.counted(async () => ({ client: await TestClient.ready(origin + path) }));
    };
    // Prepares the statements on the connection.
    const { client: first } = await opened();
    await first.leave();
    const isOver = () => gateway.activeSessions + records.journal.waiting === 0;
    await waitFor(isOver, { what: 'the record of the first session' });
    const { client, postgres } = await opened();
    expect(postgres).to.equal(2);
    await client.leave();
  });
});

type Ends = { provider: { close(code: number): void }; client: TestClient };
