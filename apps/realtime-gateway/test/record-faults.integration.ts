import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Client } from 'pg';
import {
  connectDatabase,
  createSecretBox,
  insertAgent,
  insertConversation,
  migrate,
  type JournalLimits,
} from '@parley/database';
import { createMetrics } from '@parley/service-kit';
import { startPostgresServer, waitFor, type KillableServer } from '@parley/testkit';
import { createSessionRecords } from '#src/records/session-records.js';
import { agentFields, newOrganization } from './support/organization.js';
import { startRawProvider, type ProviderPeer } from './support/raw-provider.js';
import { defaultSettings, silent, Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

/** How long PostgreSQL may be away without loss. */
const outageMs = 20_000;
/** How often a frame of audio comes. */
const frameMs = 100;

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

  const open = async (limits: Partial<JournalLimits> = {}) => {
    await migrate(server.url);
    const database = connectDatabase({ url: server.url, onError: () => undefined });
    const { registry } = createMetrics({ app: 'test' });
    const secretBox = createSecretBox(stage.stores.secretsKey);
    const options = { database, secretBox, registry, limits };
    const records = createSessionRecords({ ...options, logger: silent, settings: defaultSettings });
    stage.onClose(() => database.close());
    stage.onClose(() => records.close());
    const organization = await newOrganization(database);
    const ids = await database.inOrganization(organization.organizationId, async (scope) => {
      const agentId = await insertAgent(scope, agentFields([]));
      return { agentId, conversationId: (await insertConversation(scope, agentId)).id };
    });
    const provider = await startRawProvider();
    stage.onClose(() => provider.close());
    const { journal } = records;
    const start = { providerUrl: provider.url, records, database, journal };
    const gateway = await stage.startGateway(start);
    const { path } = await stage.issue({ ...organization, ...ids });
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

  it('talks on for 20 seconds without it, tells of no message, and stores all of them afterwards, in order', async () => {
    const { client, peer, registry, conversationId } = await open();
    const told = whetherStored(client, server.url);
    const sent: { client: string[]; provider: string[] } = { client: [], provider: [] };
    const received: string[] = [];
    peer.socket.on('message', (data: Buffer) => received.push(data.toString()));
    const say = (event: object) => {
      sent.provider.push(JSON.stringify(event));
      peer.socket.send(sent.provider.at(-1)!);
    };
    const spoken: string[] = [];
    const opening = client.frames.length;

    await server.kill();
    const end = performance.now() + outageMs;
    for (let n = 0; performance.now() < end; n += 1) {
      const audio = Buffer.from(`sound ${n}`).toString('base64');
      sent.client.push(JSON.stringify({ type: 'input_audio_buffer.append', audio }));
      client.socket.send(sent.client.at(-1)!);
      say({ type: 'response.output_audio.delta', delta: audio });
      if (n % 5 === 0) for (const line of turn(n, say)) spoken.push(line);
      await delay(frameMs);
    }
    const heard = () => client.frames.slice(opening).map(({ data }) => data.toString());
    await waitFor(() => heard().length >= sent.provider.length, { what: 'every frame' });
    await waitFor(() => received.length >= sent.client.length, { what: 'every frame' });
    expect(sha256(heard())).to.equal(sha256(sent.provider));
    expect(sha256(received)).to.equal(sha256(sent.client));
    expect(told).to.be.empty;

    await server.restart();
    const stored = { what: 'every message', timeoutMs: 30_000 };
    await waitFor(() => told.length === spoken.length, stored);
    expect(await Promise.all(told)).to.deep.equal(spoken.map(() => true));
    expect(await said(conversationId)).to.deep.equal(spoken);
    const customTypes = heard().slice(sent.provider.length).map(typeOf);
    const expected = spoken.map((_, n) =>
      n % 2 === 0 ? ['response.id', 'response.completed'] : ['message.created'],
    );
    expect(customTypes).to.deep.equal(expected.flat());
    const metrics = await registry.metrics();
    expect(metrics).to.match(/record_retries_total{app="test"} [1-9]/);
    expect(metrics).not.to.match(/outcome="failed",app="test"} [1-9]/);
    await client.leave();
  });

  it('gives up what the bounded queue cannot hold, and says so', async () => {
    const { client, peer, registry, conversationId } = await open({
      maxWaiting: 3,
      lastRetryMs: 200,
    });
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

/** A question and its answer, whose transcripts come in the wrong order; returns what was said in the right one. */
function turn(n: number, say: (event: object) => void): string[] {
  const [question, answer] = [`Question ${n}`, `Answer ${n}`];
  const ids = { question: `u${n}`, answer: `a${n}` };
  say({ type: 'input_audio_buffer.committed', item_id: ids.question });
  say({ type: 'response.output_text.done', item_id: ids.answer, text: answer });
  say({
    type: 'conversation.item.input_audio_transcription.completed',
    item_id: ids.question,
    transcript: question,
  });
  return [question, answer];
}

/** For each message that the client is told of, whether it was in the record by then. */
function whetherStored({ socket }: TestClient, url: string): Promise<boolean>[] {
  const found: Promise<boolean>[] = [];
  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as { type: string; data?: { id: string } };
    if (event.type !== 'message.created' && event.type !== 'response.id') return;
    found.push(isStored(url, event.data!.id));
  });
  return found;
}

async function isStored(url: string, id: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rowCount } = await client.query('select from messages where id = $1', [id]);
  await client.end();
  return rowCount === 1;
}

function sha256(frames: readonly string[]): string {
  return createHash('sha256').update(frames.join('\n')).digest('hex');
}

function typeOf(frame: string): string {
  return (JSON.parse(frame) as { type: string }).type;
}

function answer({ socket }: ProviderPeer, text: string): void {
  socket.send(JSON.stringify({ type: 'response.output_audio.delta', delta: 'AAAA' }));
  socket.send(
    JSON.stringify({ type: 'response.output_text.done', item_id: text, content_index: 0, text }),
  );
}

function count(client: TestClient, type: string): number {
  return client.events.filter((event) => event.type === type).length;
}
