import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pg from 'pg';
import { migratedDatabase, plainAgent, type MigratedDatabase } from '@parley/testkit';
import { changeAgentSecrets, insertAgent } from '#src/agents/agents.js';
import { findSealedAgent } from '#src/agents/sealed-agents.js';
import { insertConnection, setConnectionSecret } from '#src/agents/connections.js';
import type { Database, OrganizationScope } from '#src/postgres/database.js';
import { claimKey, keepAnswer } from '#src/questions/idempotency.js';
import { insertOrganization } from '#src/organizations/organizations.js';
import { resealSecrets, type ResealCounts } from '#src/secrets/reseal-secrets.js';
import { createSecretBox, secretContext, type SecretBox } from '#src/secrets/secret-box.js';
import { verifyAudit } from '#src/audit/verify-audit.js';
import { insertWebhook } from '#src/webhooks/webhooks.js';

const newKey = () => randomBytes(32).toString('base64');
const [oldKey, currentKey] = [newKey(), newKey()];
const oldBox = createSecretBox(oldKey);
const currentBox = createSecretBox(currentKey);
const rotated = createSecretBox(currentKey, [newKey(), oldKey]);
const actor = { kind: 'administrator', name: 'command line' } as const;

type Stored = { organizationId: string; connectionId: string; agentId: string; webhookId: string };

describe('resealing secrets', () => {
  let db: MigratedDatabase;
  let owner: pg.Client;

  before(async () => {
    db = await migratedDatabase();
    owner = new pg.Client({ connectionString: db.url });
    await owner.connect();
  });
  afterEach(() => owner.query('truncate organizations cascade'));
  after(async () => {
    await owner.end();
    await db.drop();
  });

  const reseal = (database: Database = db.database) =>
    resealSecrets({ database, secretBox: rotated, actor });

  /** An organization with a secret of each kind. */
  const store = async (box: SecretBox): Promise<Stored> => {
    const { id: organizationId } = await db.database.asSystem((system) =>
      insertOrganization(system, { name: 'O' }),
    );
    return db.database.inOrganization(organizationId, async (scope) => {
      const connectionId = await storeConnection(scope, box, 'of the connection');
      const agentId = await insertAgent(scope, plainAgent);
      await storeAgentSecrets(scope, agentId, new Map([['TOKEN', [box, 'of the agent']]]));
      const webhookId = randomUUID();
      await insertWebhook(scope, {
        id: webhookId,
        url: 'https://example.com',
        events: [],
        enabled: true,
        secret: box.seal('of the webhook', secretContext.webhook(webhookId)),
      });
      const found = await claimKey(scope, { key: 'k', fingerprint: Buffer.of(1) });
      const claim = found.kind === 'claimed' ? found.claim : '';
      const answer = box.seal('the answer', secretContext.answer(organizationId, 'k'));
      await keepAnswer(scope, { key: 'k', claim, answer, conversationId: null });
      return { organizationId, connectionId, agentId, webhookId };
    });
  };
  const storeConnection = async (scope: OrganizationScope, box: SecretBox, secret: string) => {
    const id = await insertConnection(scope, {
      name: 'C',
      kind: 'openai',
      baseUrl: null,
      models: [],
      realtime: true,
      enabled: true,
    });
    await setConnectionSecret(scope, id, box.seal(secret, secretContext.connection(id)));
    return id;
  };
  const storeAgentSecrets = (
    scope: OrganizationScope,
    agentId: string,
    secrets: Map<string, [SecretBox, string]>,
  ) =>
    changeAgentSecrets(
      scope,
      agentId,
      new Map(
        [...secrets].map(([name, [box, secret]]) => [
          name,
          box.seal(secret, secretContext.agent(agentId, name)),
        ]),
      ),
    );
  const sealedValues = async () => {
    const { rows } = await owner.query<{ context: string; sealed: Buffer }>(`
      select 'connection/' || id as context, secret as sealed from connections where secret is not null
      union all select 'agent/' || agent_id || '/' || name, secret from agent_secrets
      union all select 'webhook/' || id, secret from webhooks
      union all select 'answer/' || organization_id || '/' || key, answer from idempotency_keys where answer is not null
      order by 1`);
    return rows;
  };
  const counts = (changes: Partial<ResealCounts>): ResealCounts => ({
    ...{ resealed: 0, current: 0, unreadable: 0 },
    ...changes,
  });
  const alike = (each: ResealCounts) => ({
    connection: each,
    agent: each,
    webhook: each,
    answer: each,
  });

  it('seals every kind in every organization with the current key, once', async () => {
    const [one, other] = [await store(oldBox), await store(oldBox)];
    await store(currentBox);
    expect(await reseal()).to.deep.equal({
      counts: alike(counts({ resealed: 2, current: 1 })),
      unreadable: [],
    });
    const values = await sealedValues();
    const opened = values.map(({ context, sealed }) => currentBox.open(sealed, context));
    expect(opened).to.have.length(12);
    expect(new Set(opened)).to.have.all.keys(
      'of the agent',
      'the answer',
      'of the connection',
      'of the webhook',
    );

    expect(await reseal()).to.deep.equal({ counts: alike(counts({ current: 3 })), unreadable: [] });
    expect(await sealedValues()).to.deep.equal(values);

    const { rows } = await owner.query(
      `select action, actor->>'name' as by, resource_id, after from audit_log where organization_id = $1 order by action`,
      [one.organizationId],
    );
    const by = actor.name;
    const secretNames = ['TOKEN'];
    expect(rows).to.deep.equal([
      { action: 'agent.resealed', by, resource_id: one.agentId, after: { secretNames } },
      { action: 'connection.resealed', by, resource_id: one.connectionId, after: null },
      { action: 'webhook.resealed', by, resource_id: one.webhookId, after: null },
    ]);
    expect(await verifyAudit(db.database, other.organizationId)).to.deep.equal({
      ok: true,
      records: 3,
    });
  });

  it('walks many values of one agent in batches, and passes over what has none', async () => {
    const { organizationId, agentId } = await store(oldBox);
    await db.database.inOrganization(organizationId, async (scope) => {
      const names = Array.from({ length: 230 }, (_, at) => `S_${at}`);
      const secrets = names.map((name): [string, [SecretBox, string]] => [name, [oldBox, name]]);
      await storeAgentSecrets(scope, agentId, new Map(secrets));
      await setConnectionSecret(scope, await storeConnection(scope, oldBox, 'none'), null);
      await claimKey(scope, { key: 'unanswered', fingerprint: Buffer.of(1) });
    });
    const { counts: found } = await reseal();
    expect(found).to.deep.equal({
      ...alike(counts({ resealed: 1 })),
      agent: counts({ resealed: 231 }),
    });
  });

  it('names what it cannot read, leaves it as it is and goes on', async () => {
    const lost = await store(createSecretBox(newKey()));
    await store(oldBox);
    const { organizationId, connectionId, agentId, webhookId } = lost;
    const unread = async () =>
      (await sealedValues()).filter(({ context }) => context.includes(connectionId));
    const sealed = await unread();
    const report = await reseal();
    expect(report.counts).to.deep.equal(alike(counts({ resealed: 1, unreadable: 1 })));
    expect(report.unreadable).to.deep.equal([
      { organizationId, secret: `connection/${connectionId}` },
      { organizationId, secret: `agent/${agentId}/TOKEN` },
      { organizationId, secret: `webhook/${webhookId}` },
      { organizationId, secret: `answer/${organizationId}/k` },
    ]);
    expect(await unread()).to.deep.equal(sealed);
  });

  it('names a hundred at most', async () => {
    const { organizationId, agentId } = await store(currentBox);
    const lost = createSecretBox(newKey());
    const secrets = Array.from({ length: 120 }, (_, at): [string, [SecretBox, string]] => [
      `S_${at}`,
      [lost, 'x'],
    ]);
    await db.database.inOrganization(organizationId, (scope) =>
      storeAgentSecrets(scope, agentId, new Map(secrets)),
    );
    const report = await reseal();
    expect(report.counts.agent).to.deep.equal(counts({ current: 1, unreadable: 120 }));
    expect(report.unreadable).to.have.length(100);
  });

  it('takes what is written between its reading and its writing, and misses what is deleted', async () => {
    const { organizationId, connectionId, agentId, webhookId } = await store(oldBox);
    const connection = secretContext.connection(connectionId);
    const agent = secretContext.agent(agentId, 'TOKEN');
    /** What others do once everything was read. */
    const changes: (() => Promise<unknown>)[] = [
      () =>
        db.database.inOrganization(organizationId, (scope) =>
          setConnectionSecret(scope, connectionId, oldBox.seal('newer', connection)),
        ),
      () =>
        db.database.inOrganization(organizationId, (scope) =>
          storeAgentSecrets(scope, agentId, new Map([['TOKEN', [currentBox, 'newest']]])),
        ),
      () => owner.query('delete from webhooks where id = $1', [webhookId]),
      () => owner.query('update idempotency_keys set answer = null'),
    ];
    const meanwhile: Database = {
      ...db.database,
      async inOrganization(id, work) {
        await changes.shift()?.();
        return db.database.inOrganization(id, work);
      },
    };
    const { counts: found } = await reseal(meanwhile);
    expect(found).to.deep.equal({
      connection: counts({ resealed: 1 }),
      agent: counts({ current: 1 }),
      webhook: counts({}),
      answer: counts({}),
    });
    const values = await sealedValues();
    const opened = values.map(({ context, sealed }) => [context, currentBox.open(sealed, context)]);
    expect(opened).to.deep.equal([
      [agent, 'newest'],
      [connection, 'newer'],
    ]);
  });

  it('loses nothing while others write', async () => {
    const { organizationId, agentId } = await store(oldBox);
    const names = Array.from({ length: 20 }, (_, at) => `S_${at}`);
    const write = (round: number) =>
      db.database.inOrganization(organizationId, (scope) =>
        // In another order than the walk's, several in one transaction.
        storeAgentSecrets(
          scope,
          agentId,
          new Map(names.toReversed().map((name) => [name, [oldBox, `${name} ${round}`]])),
        ),
      );
    const rounds = 10;
    const written = new AbortController();
    const writer = (async () => {
      for (let round = 1; round <= rounds; round += 1) await write(round);
    })().finally(() => written.abort());
    const walker = (async () => {
      while (!written.signal.aborted) await reseal();
    })();
    await Promise.all([writer, walker]);
    const agent = await db.database.inOrganization(organizationId, (scope) =>
      findSealedAgent(scope, agentId),
    );
    const opened = agent?.secrets.map(({ name, secret }) =>
      rotated.open(Buffer.from(secret, 'base64'), secretContext.agent(agentId, name)),
    );
    expect(opened).to.have.members(['of the agent', ...names.map((name) => `${name} ${rounds}`)]);
  });

  it('goes on where it broke off', async () => {
    await store(oldBox);
    let left = 2;
    const failing: Database = {
      ...db.database,
      inOrganization: (id, work) => {
        if (left === 0) return Promise.reject(new Error('gone'));
        left -= 1;
        return db.database.inOrganization(id, work);
      },
    };
    const failure: unknown = await reseal(failing).catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'gone');
    const { counts: found } = await reseal();
    expect([found.connection, found.agent]).to.deep.equal([
      counts({ current: 1 }),
      counts({ current: 1 }),
    ]);
    expect([found.webhook, found.answer]).to.deep.equal([
      counts({ resealed: 1 }),
      counts({ resealed: 1 }),
    ]);
  });
});
