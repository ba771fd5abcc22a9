import { expect } from 'chai';
import {
  connectDatabase,
  createSecretBox,
  insertAgent,
  insertConversation,
  migrate,
  type Database,
} from '@parley/database';
import { createMetrics } from '@parley/service-kit';
import { startPostgresServer, waitFor, type KillableServer } from '@parley/testkit';
import { createSessionRecords } from '#src/records/session-records.js';
import { agentFields, newOrganization } from './support/organization.js';
import { startRawProvider, type ProviderPeer } from './support/raw-provider.js';
import { defaultSettings, silent, Stage } from './support/stage.js';
import { TestClient, type Event } from './support/test-client.js';
import { ToolServer } from './support/tool-server.js';
import { done, start, toolsAt } from './support/tool-scene.js';

describe('a tool call while PostgreSQL is frozen', () => {
  let stage: Stage;
  let server: KillableServer;
  let tools: ToolServer;
  let database: Database;
  let client: TestClient;
  let peer: ProviderPeer;
  let conversationId: string;
  let organizationId: string;
  const received: Event[] = [];

  before(async () => {
    stage = await Stage.open();
    tools = await ToolServer.start();
    server = await startPostgresServer();
    await migrate(server.url);
    database = connectDatabase({ url: server.url, queryTimeoutMs: 3000, onError: () => undefined });
    stage.onClose(() => server.stop());
    stage.onClose(() => database.close());
    stage.onClose(() => tools.close());
  });
  beforeEach(async () => {
    const organization = await newOrganization(database);
    ({ organizationId } = organization);
    const agentId = await database.inOrganization(organizationId, async (scope) => {
      const id = await insertAgent(scope, agentFields(toolsAt(tools.origin)));
      conversationId = (await insertConversation(scope, id)).id;
      return id;
    });
    const { registry } = createMetrics({ app: 'test' });
    const secretBox = createSecretBox(stage.stores.secretsKey);
    const stored = { database, secretBox, registry, logger: silent, settings: defaultSettings };
    const records = createSessionRecords(stored);
    stage.onClose(() => records.close());
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const { journal } = records;
    const options = { providerUrl: provider.url, records, database, journal };
    const gateway = await stage.startGateway(options);
    const { path } = await stage.issue({ ...organization, agentId, conversationId });
    [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(gateway.origin + path),
    ]);
    received.length = tools.requests.length = 0;
    peer.socket.on('message', (data: Buffer) =>
      received.push(JSON.parse(data.toString()) as Event),
    );
  });
  after(() => stage.close());

  const says = (...events: object[]) => {
    for (const event of events) peer.socket.send(JSON.stringify(event));
  };
  const call = (name: string) => {
    const ids = { response_id: 'r', item_id: 'i', call_id: 'c' };
    const item = { id: 'i', type: 'function_call', call_id: 'c', name, arguments: '{}' };
    says(
      { type: 'response.created', response: { id: 'r', status: 'in_progress' } },
      { type: 'response.output_item.added', response_id: 'r', item },
      { type: 'response.function_call_arguments.done', ...ids, name, arguments: '{}' },
      { type: 'response.done', response: { id: 'r', status: 'completed', output: [item] } },
    );
  };
  /** Sound goes through in both directions. */
  const talk = async (word: string) => {
    const audio = Buffer.from(word).toString('base64');
    client.send({ type: 'input_audio_buffer.append', audio });
    says({ type: 'response.output_audio.delta', delta: audio });
    await client.where(({ delta }) => delta === audio, 'the sound of the agent');
    await waitFor(() => received.some((event) => event['audio'] === audio), {
      what: 'the sound of the user',
    });
  };
  const outputs = () =>
    received.flatMap(({ type, item }) =>
      type === 'conversation.item.create' ? [(item as { output: string }).output] : [],
    );
  const isOver = async () => {
    await waitFor(() => outputs()[0], { what: 'the output of the call' });
    await talk('after the call');
    expect(outputs()).to.have.length(1);
    const told = client.events.filter(({ type }) => type === start || type === done);
    expect(told.map(({ type }) => type)).to.deep.equal([start, done]);
    return (told[1]!['data'] as { status: number }).status;
  };
  const recorded = () =>
    waitFor(
      async () => {
        const rows = await database
          .inOrganization(organizationId, ({ trx }) =>
            trx
              .selectFrom('toolCalls')
              .select(['status', 'finishedAt', 'result'])
              .where('conversationId', '=', conversationId)
              .execute(),
          )
          .catch(() => []);
        return rows[0]?.finishedAt ? rows : undefined;
      },
      { what: 'the end of the call in the record' },
    );

  it('that begins then is not run, and everybody talks on', async () => {
    await server.kill('SIGSTOP');
    call('weather');
    await talk('while it is frozen');
    expect(await isOver()).to.equal(2);
    expect(outputs()[0]).to.match(/could not be recorded.*not run/);
    await server.kill('SIGCONT');
    const rows = await recorded();
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ status: 2 });
    expect(tools.requests).to.be.empty;
    await client.leave();
  });

  it('that was running then has its result, and everybody talks on', async () => {
    call('slow');
    await waitFor(() => tools.calls('/slow')[0], { what: 'the tool to run' });
    await server.kill('SIGSTOP');
    tools.release();
    await talk('while it is frozen');
    expect(await isOver()).to.equal(1);
    expect(outputs()[0]).to.match(/at last/);
    await server.kill('SIGCONT');
    const rows = await recorded();
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({ status: 1 });
    expect(tools.calls('/slow')).to.have.length(1);
    await client.leave();
  });
});
