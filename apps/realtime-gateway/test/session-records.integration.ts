import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import {
  expireFile,
  beginUpload,
  claimToolCall,
  connectDatabase,
  createSecretBox,
  deleteAgent,
  finishUpload,
  insertAgent,
  insertConnection,
  recordToolCall,
  secretContext,
  setConnectionSecret,
  setQuotas,
  updateAgent,
  type Announced,
  type Database,
  type OrganizationScope,
} from '@parley/database';
import { createMetrics } from '@parley/service-kit';
import { createSessionRecords } from '#src/records/session-records.js';
import type { SessionRecords } from '#src/ports.js';
import { agentFields, insertConversation } from './support/organization.js';
import { defaultSettings, silent, Stage } from './support/stage.js';

const connectionFields = {
  name: 'Provider',
  kind: 'openai-compatible',
  baseUrl: 'https://llm.example/v1',
  models: [],
  realtime: true,
  enabled: true,
};

describe('the record’s part in admission', () => {
  let stage: Stage;
  let database: Database;
  let records: SessionRecords;
  let organizationId: string;
  const secretBox = createSecretBox(randomBytes(32).toString('base64'));

  before(async () => {
    stage = await Stage.open();
    ({ organizationId } = stage.stores);
    database = connectDatabase({ url: stage.stores.databaseUrl });
    stage.onClose(() => database.close());
    records = createSessionRecords({
      database,
      secretBox,
      logger: silent,
      registry: createMetrics({ app: 'test' }).registry,
      settings: defaultSettings,
    });
  });
  after(() => stage.close());

  const within = <T>(work: (scope: OrganizationScope) => Promise<T>) =>
    database.inOrganization(organizationId, work);
  const admit = async (agentId: string, tokenHash = randomBytes(32), fileIds: string[] = []) => {
    const { databaseUrl, keyId } = stage.stores;
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    const sessionId = randomUUID();
    const ids = { organizationId, agentId, conversationId, keyId };
    return records.admit({ sessionId, tokenHash, ...ids, fileIds });
  };
  const agentWith = async (connection: Partial<typeof connectionFields>, secret?: string) =>
    within(async (scope) => {
      const connectionId = await insertConnection(scope, { ...connectionFields, ...connection });
      const sealed = secret && secretBox.seal(secret, secretContext.connection(connectionId));
      if (sealed) await setConnectionSecret(scope, connectionId, sealed);
      return insertAgent(scope, { ...agentFields([]), connectionId });
    });

  type Ids = { agentId: string; conversationId: string };
  /** A session that another pod can continue. */
  const resumable = async (fileIds: string[] = [], agentId = stage.stores.agentId) => {
    const { databaseUrl, keyId } = stage.stores;
    const conversationId = await insertConversation(databaseUrl, organizationId, agentId);
    const former = randomUUID();
    const ids = { organizationId, agentId, conversationId };
    const audio = { inputAudioFormat: 'pcm16', outputAudioFormat: 'pcm16' } as const;
    const session = { ...audio, voice: 'alloy', additionalInstructions: null, clientTools: [] };
    const ticket = { ...ids, ...session, keyId, fileIds };
    const admission = { ...ids, keyId, fileIds, tokenHash: randomBytes(32), ticket };
    expect(await records.admit({ ...admission, sessionId: former })).to.include(admitted);
    return { former, ids };
  };
  const restore = (former: string, ids: Ids) => {
    const restoring = { organizationId, former, pod: 'pod-2', sessionId: randomUUID() };
    return records.restore({ ...ids, ...restoring, tokenHash: randomBytes(32) });
  };
  const newFile = (name: string): Promise<string> =>
    within(async (scope) => {
      const { id } = await beginUpload(scope, { name, storage: 'postgres' });
      const content = { mediaType: 'text/plain', sizeBytes: 4, text: 'Soup' };
      await finishUpload(scope, { id, ...content, textTruncated: false, ttlHours: 1 });
      return id;
    });
  /** How the sessions of an agent ended, in order. */
  const endsOf = (agentId: string) =>
    within(({ trx }) =>
      trx
        .selectFrom('realtimeSessions')
        .select(['endReason', 'closeCode', 'ticket'])
        .select(sql<number | null>`extract(epoch from ended_at - started_at)::float8`.as('seconds'))
        .where('agentId', '=', agentId)
        .orderBy('startedAt')
        .execute(),
    );
  const turnOff = (agentId: string) =>
    within((scope) =>
      updateAgent(scope, { ...agentFields([]), id: agentId, realtimeEnabled: false }),
    );

  it('loads the agent', async () => {
    const outcome = await admit(stage.stores.agentId);
    expect(outcome).to.have.property('connection', null);
    expect(outcome).to.have.deep.property('agent', { systemMessage: 'Be kind.', model: null });
  });

  it('keeps one copy of an agent for all its sessions, and none of its secrets', async () => {
    const agentId = await agentWith({}, 'sk-first');
    const [one, two] = [await admit(agentId), await admit(agentId)];
    if (one.outcome !== 'admitted' || two.outcome !== 'admitted') throw new Error('not admitted');
    expect(two.loaded.agent).to.equal(one.loaded.agent);
    expect(two.loaded.tools).to.equal(one.loaded.tools);
    expect(two.loaded.secrets).to.deep.equal(one.loaded.secrets);
    expect(two.connection).not.to.equal(one.connection);
    const changed = { ...agentFields([]), id: agentId, systemMessage: 'Be brief.' };
    await within((scope) => updateAgent(scope, changed));
    expect(await admit(agentId)).to.have.nested.property('agent.systemMessage', 'Be brief.');
    expect(one.loaded.agent.systemMessage).to.equal('Be kind.');
  });

  it('takes an agent as it is, also if somebody has changed it by hand', async () => {
    const agentId = await agentWith({});
    const before = await admit(agentId);
    await within(({ trx }) =>
      trx
        .updateTable('agents')
        .set({ systemMessage: 'Be bold.' })
        .where('id', '=', agentId)
        .execute(),
    );
    expect(await admit(agentId)).to.have.nested.property('agent.systemMessage', 'Be bold.');
    expect(before).to.have.nested.property('agent.systemMessage', 'Be kind.');
  });

  it('announces the sessions that it admits, and no others', async () => {
    const announced: Announced[] = [];
    database.onAnnounced((events) => void announced.push(...events));
    const hash = randomBytes(32);
    await admit(stage.stores.agentId, hash);
    await admit(stage.stores.agentId, hash);
    await admit(await agentWith({ enabled: false }));
    const told = announced.map(({ type, data }) => ({ type, ...data }));
    expect(told).to.have.length(1);
    expect(told[0]).to.include({ type: 'session.started', agentId: stage.stores.agentId });
  });

  it('loads the connection with its secret', async () => {
    const outcome = await admit(await agentWith({}, 'sk-stored'));
    expect(outcome).to.have.deep.property('connection', {
      kind: 'openai-compatible',
      baseUrl: 'https://llm.example/v1',
      secret: 'sk-stored',
      realtime: true,
    });
  });

  it('admits a token’s hash once, for good', async () => {
    const { agentId } = stage.stores;
    const hash = randomBytes(32);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => admit(agentId, hash)));
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).to.have.length(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'refused')).to.have.length(7);
    expect(await admit(agentId, hash)).to.deep.equal(refused('RealtimeSessionAlreadyUsed'));
  });

  it('refuses what changed after the session was created', async () => {
    expect(await admit(await agentWith({ enabled: false }))).to.deep.equal(
      refused('RealtimeUnsupportedConnection'),
    );
    expect(await admit(await agentWith({ realtime: false }))).to.deep.equal(
      refused('RealtimeUnsupportedConnection'),
    );
    const silent = await within((scope) =>
      insertAgent(scope, { ...agentFields([]), realtimeEnabled: false }),
    );
    expect(await admit(silent)).to.deep.equal(refused('RealtimeNotEnabled'));
    const gone = await agentWith({});
    await within((scope) => deleteAgent(scope, gone));
    expect(await admit(gone)).to.deep.equal(refused('RealtimeSessionInvalid'));
  });

  it('ends what it refuses with the refusal, at once, and keeps its token used', async () => {
    const [disabled, silent] = [await agentWith({ enabled: false }), await agentWith({})];
    await turnOff(silent);
    const hash = randomBytes(32);
    await admit(disabled, hash);
    await admit(silent);
    const sighted = await agentWith({});
    await admit(sighted, randomBytes(32), [randomUUID()]);
    const over = { closeCode: null, ticket: null, seconds: 0 };
    expect([
      ...(await endsOf(disabled)),
      ...(await endsOf(silent)),
      ...(await endsOf(sighted)),
    ]).to.deep.equal([
      { ...over, endReason: 'RealtimeUnsupportedConnection' },
      { ...over, endReason: 'RealtimeNotEnabled' },
      { ...over, endReason: 'RealtimeSessionInvalid', closeCode: 4400 },
    ]);
    expect(await admit(stage.stores.agentId, hash)).to.deep.equal(
      refused('RealtimeSessionAlreadyUsed'),
    );
  });

  it('ends a session that it does not continue with the refusal, for good', async () => {
    const agentId = await agentWith({});
    const { former, ids } = await resumable([], agentId);
    await turnOff(agentId);
    const outcome = await restore(former, ids);
    expect(outcome).to.deep.equal(refused('RealtimeNotEnabled'));
    const [first, second, ...others] = await endsOf(agentId);
    expect(others).to.be.empty;
    expect(first).to.include({ endReason: 'moved', ticket: null });
    const end = { endReason: 'RealtimeNotEnabled', closeCode: null, ticket: null, seconds: 0 };
    expect(second).to.deep.equal(end);
    const again = await restore(former, ids);
    if (again.outcome !== 'moved') throw new Error(`it was ${again.outcome}`);
    expect(await restore(again.to, ids)).to.deep.equal(refused('RealtimeSessionInvalid'));
  });

  it('ends with its quota a session that cannot go on without tokens', async () => {
    const agentId = await agentWith({});
    const { former, ids } = await resumable([], agentId);
    const setQuota = (tokens: number | null) =>
      database.asSystem((system) =>
        setQuotas(system, organizationId, new Map([['tokensPerDay', tokens]])),
      );
    await setQuota(0);
    const quota = { outcome: 'quota', quota: 'tokensPerDay' };
    expect([await restore(former, ids), await admit(agentId)]).to.deep.equal([quota, quota]);
    await setQuota(null);
    const ends = (await endsOf(agentId)).map(({ endReason, closeCode }) => [endReason, closeCode]);
    expect(ends).to.deep.equal([
      ['moved', 1006],
      ['QuotaReached', 4429],
      ['QuotaReached', 4429],
    ]);
  });

  it('continues a session without those of its files that are gone', async () => {
    const [gone, kept] = [await newFile('gone.txt'), await newFile('kept.txt')];
    const { former, ids } = await resumable([gone, kept]);
    await within((scope) => expireFile(scope, gone));
    const restored = await restore(former, ids);
    if (!('inherited' in restored)) throw new Error(`it was ${restored.outcome}`);
    const texts = restored.history.map((item) => (item.kind === 'message' ? item.content : ''));
    expect(texts).to.have.length(1);
    expect(texts[0]).to.include('kept.txt').and.not.include('gone.txt');
  });

  it('tells who continues a session of the call whose outcome that leaves unknown', async () => {
    const { former, ids } = await resumable();
    const { agentId, conversationId } = ids;
    const [running, open] = [0, 1].map((position) => ({
      ...{ id: randomUUID(), messageId: randomUUID(), conversationId, sessionId: former, agentId },
      ...{ runId: null, parentId: null, callId: `call_${position}`, name: 'pay', arguments: {} },
      ...{ position: position + 1, createdAt: new Date() },
    }));
    for (const call of [running!, open!]) await within((scope) => recordToolCall(scope, call));
    await within((scope) => claimToolCall(scope, running!.id));
    const restored = await restore(former, ids);
    if (!('inherited' in restored)) throw new Error(`it was ${restored.outcome}`);
    const { history, inherited } = restored;
    const told = history.map((item) => item.kind === 'call' && [item.callId, item.output]);
    expect(told).to.deep.equal([
      ['call_0', 'The session ended while the tool was running. Its outcome is unknown.'],
    ]);
    expect(inherited.calls.map(({ callId }) => callId)).to.deep.equal(['call_1']);
  });

  const admitted = { outcome: 'admitted' };
  const refused = (errorCode: string) => ({ outcome: 'refused', errorCode });
});
