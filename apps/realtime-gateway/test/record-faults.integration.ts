import { expect } from 'chai';
import { Client } from 'pg';
import {
  connectDatabase,
  createSecretBox,
  insertAgent,
  insertConversation,
  insertOrganization,
  migrate,
} from '@parley/database';
import { createMetrics } from '@parley/service-kit';
import { startPostgresServer, waitFor, type KillableServer } from '@parley/testkit';
import { createSessionRecords } from '#src/records/session-records.js';
import { startRawProvider, type ProviderPeer } from './support/raw-provider.js';
import { agentFields, defaultSettings, silent, Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

describe('the record while PostgreSQL is away', () => {
  let stage: Stage;
  let server: KillableServer;
  before(async () => {
    stage = await Stage.open();
    server = await startPostgresServer();
  });
  after(async () => {
    await stage.close();
    await server.stop();
  });

  const open = async (maxWaiting: number) => {
    await migrate(server.url);
    const database = connectDatabase({ url: server.url, onError: () => undefined });
    const { registry } = createMetrics({ app: 'test' });
    const secretBox = createSecretBox(stage.stores.secretsKey);
    const limits = { maxWaiting, lastRetryMs: 200, closeMs: 500 };
    const options = { database, secretBox, registry, limits };
    const records = createSessionRecords({ ...options, logger: silent, settings: defaultSettings });
    stage.onClose(() => database.close());
    stage.onClose(() => records.close());
    const { id: organizationId } = await database.asSystem((scope) =>
      insertOrganization(scope, { name: 'Faults' }),
    );
    const ids = await database.inOrganization(organizationId, async (scope) => {
      const agentId = await insertAgent(scope, agentFields([]));
      return { agentId, conversationId: (await insertConversation(scope, agentId)).id };
    });
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const gateway = await stage.startGateway({ providerUrl: provider.url, records, database });
    const { path } = await stage.issue({ organizationId, ...ids });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(gateway.origin + path),
    ]);
    return { client, peer, registry, conversationId: ids.conversationId };
  };

  const said = async (conversationId: string): Promise<string[]> => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ content: string }>(
      'select content from messages where conversation_id = $1 order by position',
      [conversationId],
    );
    await client.end();
    return rows.map(({ content }) => content);
  };

  it('lets the audio go on, tells of no message, and stores all of them afterwards, in order', async () => {
    const { client, peer, conversationId } = await open(1000);
    await server.kill();
    const spoken = Array.from({ length: 30 }, (_, n) => `Answer ${n}`);
    const before = client.events.length;
    for (const text of spoken) answer(peer, text);
    await waitFor(() => client.events.length === before + 60, { what: 'every frame' });
    expect(count(client, 'response.id')).to.equal(0);
    await server.restart();
    await waitFor(() => count(client, 'response.completed') === 30, { what: 'every message' });
    expect(await said(conversationId)).to.deep.equal(spoken);
    const custom = client.events.slice(before + 60).map(({ type }) => type);
    expect(custom).to.deep.equal(spoken.flatMap(() => ['response.id', 'response.completed']));
    await client.leave();
  });

  it('gives up what the bounded queue cannot hold, and says so', async () => {
    const { client, peer, registry, conversationId } = await open(3);
    await server.kill();
    for (let n = 0; n < 5; n += 1) answer(peer, `Answer ${n}`);
    await waitFor(() => count(client, 'error') === 2, { what: 'two errors' });
    const { error } = await client.event('error');
    expect(error).to.include({ type: 'service_error', code: 'MessageNotStored' });
    await server.restart();
    await waitFor(() => count(client, 'response.completed') === 3, { what: 'the other messages' });
    expect(await said(conversationId)).to.deep.equal(['Answer 0', 'Answer 1', 'Answer 2']);
    const metrics = await registry.metrics();
    expect(metrics).to.include(
      'parley_realtime_record_changes_total{kind="message",outcome="failed",app="test"} 2',
    );
    expect(metrics).to.include('parley_realtime_record_waiting{app="test"} 0');
    await client.leave();
  });
});

function answer({ socket }: ProviderPeer, text: string): void {
  socket.send(JSON.stringify({ type: 'response.output_audio.delta', delta: 'AAAA' }));
  socket.send(
    JSON.stringify({ type: 'response.output_text.done', item_id: text, content_index: 0, text }),
  );
}

function count(client: TestClient, type: string): number {
  return client.events.filter((event) => event.type === type).length;
}
