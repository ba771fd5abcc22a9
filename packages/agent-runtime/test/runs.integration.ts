import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import {
  claimRun,
  claimToolCall,
  findRun,
  findToolCall,
  insertRun,
  openApproval,
  recordToolCall,
  setQuotas,
  type Database,
  type NewToolCall,
} from '@parley/database';
import type { Tool } from '@parley/protocol';
import { connectRedis, openJobProducer } from '@parley/session-store';
import { testRedis } from '@parley/testkit';
import {
  createAgentRuntime,
  newRun,
  questionMetrics,
  resumeRun,
  type AdvanceOptions,
  type OpenCall,
} from '#src/index.js';
import { openCall } from '#src/calls/call.js';
import { runVersion } from '#src/questions/stored-run.js';
import { Stage } from './support/stage.js';

describe('a run that nobody holds', () => {
  let stage: Stage;
  let options: AdvanceOptions;
  let database: Database;
  before(async () => {
    stage = await Stage.open();
    const redis = await connectRedis({ url: (await testRedis()).url, name: 'runs' });
    const producer = await openJobProducer(redis, () => undefined);
    stage.onClose(() => redis.disconnect());
    stage.onClose(() => producer.close());
    ({ database } = stage.options);
    options = {
      database,
      journal: stage.options.journal,
      runtime: createAgentRuntime({
        ...stage.options,
        defaultConnection: await stage.provider(),
      }),
      producer,
      redis,
      metrics: questionMetrics(new Registry()),
      report: () => undefined,
    };
  });
  after(() => stage.close());

  /** As a process leaves it that died right after it had begun. */
  const abandon = async (
    question: string,
    stored: object = {},
    tools: Tool[] = [],
  ): Promise<string> => {
    const agentId = await stage.agent(tools);
    const { conversationId } = await stage.place(agentId);
    const id = randomUUID();
    await inScope((scope) =>
      insertRun(scope, {
        ...{ id, agentId, conversationId, watcher: null, owner: randomUUID() },
        keyId: null,
        run: { ...newRun([{ role: 'user', content: question }], 1), ...stored },
        leaseMs: -1000,
      }),
    );
    return id;
  };
  const inScope: <T>(work: Parameters<typeof database.inOrganization<T>>[1]) => Promise<T> = (
    work,
  ) => database.inOrganization(stage.organizationId, work);
  const claim = (id: string, leaseMs: number) =>
    database.asSystem((system) =>
      claimRun(system, id, { owner: randomUUID(), leaseMs, maxOpen: 50, readsVersion: runVersion }),
    );
  const resume = (id: string, maxOpen = 50) => resumeRun(options, id, maxOpen);
  /** Answers once it is let. */
  const slowProvider = async () => {
    let [ask, answer]: (() => void)[] = [];
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const choice = { index: 0, delta: { content: 'Too late' }, finish_reason: 'stop' };
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const server = createServer((_request, response) => {
      ask?.();
      void answered.then(() => {
        response.setHeader('Content-Type', 'text/event-stream');
        response.end(
          `data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\ndata: [DONE]\n\n`,
        );
      });
    });
    const baseUrl = `${await stage.serve(server)}/v1`;
    const defaultConnection = { kind: 'openai-compatible' as const, baseUrl, secret: 'sk' };
    return { defaultConnection, asked, answer: () => answer?.() };
  };
  const stateOf = async (id: string) => (await inScope((scope) => findRun(scope, id)))?.state;

  it('is taken by one of many that try, and answered once', async () => {
    const id = await abandon('!say Once');
    const tries = await Promise.all(Array.from({ length: 8 }, () => resume(id)));
    expect(tries.filter((advanced) => advanced !== undefined)).to.deep.equal([
      { state: 'answered', answer: 'Once' },
    ]);
    expect(await resume(id)).to.equal(undefined);
  });

  it('is taken whatever characters are stored in it', async () => {
    for (const bad of ['\0', '\uD83D', '"version":99}']) {
      const id = await abandon(`!say Here ${bad}`, { version: runVersion });
      expect(await resume(id)).to.deep.include({ state: 'answered' });
    }
  });

  it('is left alone while somebody holds it', async () => {
    const id = await abandon('!say Mine');
    expect(await claim(id, 60_000)).to.include({ id, takeovers: 1 });
    expect(await claim(id, 60_000)).to.equal(undefined);
    expect(await resume(id)).to.equal(undefined);
    expect(await stateOf(id)).to.equal('open');
  });

  it('cannot be finished by one who lost it', async () => {
    const id = await abandon('Well?');
    const { defaultConnection, asked, answer } = await slowProvider();
    const runtime = createAgentRuntime({ ...stage.options, defaultConnection });
    const slow = resumeRun({ ...options, runtime }, id, 50);
    await asked;
    await database.asSystem(({ trx }) =>
      trx.updateTable('runs').set({ owner: randomUUID() }).where('id', '=', id).execute(),
    );
    answer();
    expect(await slow).to.equal(undefined);
    expect(await stateOf(id)).to.equal('open');
  });

  it('waits while as many of its organization are under way as may be', async () => {
    const [held, waiting] = [await abandon('!say Held'), await abandon('!say Later')];
    await database.asSystem(({ trx }) =>
      trx.updateTable('runs').set({ leaseUntil: null, state: 'failed' }).execute(),
    );
    await database.asSystem(({ trx }) =>
      trx.updateTable('runs').set({ state: 'open' }).where('id', 'in', [held, waiting]).execute(),
    );
    expect(await claim(held, 60_000)).to.include({ id: held });
    expect(await resume(waiting, 1)).to.equal(undefined);
    expect(await stateOf(waiting)).to.equal('open');
    const quota = new Map([['questions', 2]] as const);
    await database.asSystem((system) => setQuotas(system, stage.organizationId, quota));
    expect(await resume(waiting, 1)).to.deep.equal({ state: 'answered', answer: 'Later' });
  });

  it('fails when every process that took it died', async () => {
    const id = await abandon('!say Never');
    for (let n = 0; n < 5; n++) await claim(id, -1000);
    expect(await resume(id)).to.deep.include({ state: 'failed' });
    expect(await inScope((scope) => findRun(scope, id))).to.deep.include({
      state: 'failed',
      run: null,
      failure: 'The question could not be answered: every attempt was interrupted.',
    });
  });

  it('fails when no process can read it', async () => {
    const usage = [{ model: 'm', inputTokens: 1, cachedTokens: 0, outputTokens: 1 }];
    for (const stored of [{ version: runVersion, usage }, { openCalls: 1 }]) {
      const id = await abandon('!say Never', stored);
      expect(await resume(id)).to.deep.equal({
        state: 'failed',
        reason: 'The question could not be continued: its stored progress cannot be read.',
      });
      expect(await stateOf(id)).to.equal('failed');
    }
  });

  describe('in which a sub-agent waited for an approval', () => {
    const wait = { timeoutMs: 60_000, approvers: ['api'], owner: null } as const;
    /** As a process leaves it that died while another call of the sub-agent ran. */
    const abandonMidway = async () => {
      const bea = await stage.agent([], { name: 'Bea' });
      const input = JSON.stringify({ question: 'Well?' });
      const asking = openCall({ callId: 'c', name: 'bea', arguments: input, position: 1 });
      const inside = openCall({ callId: 'd', name: 'bell', arguments: '{}', position: 2 });
      const tools: Tool[] = [{ kind: 'subagent', name: 'bea', agentId: bea }];
      const id = await abandon('!say Done', { openCalls: [asking] }, tools);
      const { agentId, conversationId } = (await inScope((scope) => findRun(scope, id)))!;
      const place = { agentId, conversationId, sessionId: null, runId: id };
      const made = { ...place, arguments: {}, createdAt: new Date() };
      const rowOf = ({ state: _, ...call }: OpenCall, parentId: string | null) =>
        ({ ...call, ...made, parentId }) satisfies NewToolCall;
      await inScope(async (scope) => {
        await recordToolCall(scope, rowOf(asking, null));
        await claimToolCall(scope, asking.id);
        await recordToolCall(scope, rowOf(inside, asking.id));
        await openApproval(scope, inside.id, wait);
      });
      return { id, asking, inside };
    };
    const expectEnded = async (id: string, result: RegExp) => {
      const row = await inScope((scope) => findToolCall(scope, id));
      expect(row).to.include({ approval: 'cancelled', status: 'failed' });
      expect(row!.result).to.match(result);
      expect(row!.finishedAt).to.be.instanceOf(Date);
      expect(await stage.decide(id, 'approved')).to.equal(false);
    };

    it('ends it with the sub-agent, whose outcome is unknown', async () => {
      const { id, asking, inside } = await abandonMidway();
      expect(await resume(id)).to.deep.equal({ state: 'answered', answer: 'Done' });
      const row = await inScope((scope) => findToolCall(scope, asking.id));
      expect(row!.result).to.match(/outcome is unknown/);
      await expectEnded(inside.id, /^The sub-agent ended before/);
    });

    it('ends it with the answer, if a process that had lost the run has ended the sub-agent', async () => {
      const { id, asking, inside } = await abandonMidway();
      const { organizationId, options } = stage;
      const text = 'Interrupted.';
      const end = { status: 'failed', result: text, text, executionMs: null } as const;
      options.journal.add({ organizationId, id }, { kind: 'call', id: asking.id, end });
      await options.journal.caughtUp(organizationId);
      expect(await resume(id)).to.deep.equal({ state: 'answered', answer: 'Done' });
      await expectEnded(inside.id, /^The question ended before/);
    });

    it('ends it with the failure, if every process that took the run died', async () => {
      const { id, asking, inside } = await abandonMidway();
      for (let n = 0; n < 5; n++) await claim(id, -1000);
      expect(await resume(id)).to.deep.include({ state: 'failed' });
      const row = await inScope((scope) => findToolCall(scope, asking.id));
      expect(row!.result).to.match(/outcome is unknown/);
      await expectEnded(inside.id, /^The question ended before/);
    });
  });

  it('is left to a newer process that stored it, however often an older one tries', async () => {
    const id = await abandon('!say Later', { version: runVersion + 1 });
    expect(await resume(id)).to.equal(undefined);
    expect(await inScope((scope) => findRun(scope, id))).to.include({
      state: 'open',
      takeovers: 0,
    });
  });

  it('fails when its agent is gone', async () => {
    const id = await abandon('!say Never');
    await database.asSystem(({ trx }) =>
      trx.updateTable('agents').set({ deletedAt: new Date() }).execute(),
    );
    expect(await resume(id)).to.deep.equal({
      state: 'failed',
      reason: 'The agent does not exist any more.',
    });
  });
});
