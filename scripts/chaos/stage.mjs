// Where everything happens: a deployment as processes, with a network that can fail between the pods
// and each server, a tool that counts its runs, a second organization that must never notice
// anything, and somebody who starts again what has ended.
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { bootstrapOrganization, connectDatabase } from '@parley/database';
import { startPostgresServer, tcpProxy, waitFor } from '@parley/testkit';
import { Cluster } from '../../deploy/dist-test/support/cluster.js';
import { CountingTool } from '../../deploy/dist-test/support/counting-tool.js';
import { createRest } from './rest.mjs';

/** The timers that scenarios wait for. Everything else is as deployed, or as the cluster tests have it. */
const settings = {
  REALTIME_APPROVAL_TIMEOUT_SECONDS: '8',
  REALTIME_RESUME_GRACE_SECONDS: '30',
  REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: '10',
  /** A fault takes longer than a minute of renewals. */
  REALTIME_PROVIDER_RENEWALS: '20',
};
const restartMs = 500;

export class Stage {
  /** The network in front of each server: redis, database, provider. */
  roads = {};
  /** Processes that ended although nobody killed them, and not while they were starting. */
  crashes = [];
  restarts = 0;
  #killed = new WeakSet();
  #isClosing = false;

  static async open({ env = {}, progress }) {
    const stage = new Stage();
    progress('starting PostgreSQL, Redis, the simulator, 2 api, 3 gateways, 2 workers and HAProxy');
    stage.postgres = await startPostgresServer();
    stage.tool = await CountingTool.start({ takesMs: 200 });
    const through = async (name, target) => (stage.roads[name] = await tcpProxy({ target })).url;
    stage.cluster = await Cluster.start({
      ...{ apis: 2, gateways: 3, workers: 2, through },
      database: { url: stage.postgres.url, drop: () => stage.postgres.stop() },
      env: { ...settings, ...env },
    });
    stage.origin = stage.cluster.origin;
    stage.redisServer = stage.cluster.redis;
    stage.ask = createRest(stage.origin, stage.cluster.credentials);
    stage.#lookAt(stage.redisServer);
    stage.#lookInto(stage.postgres);
    await stage.#furnish();
    for (const process of stage.processes) void stage.#watch(process);
    return stage;
  }

  /** What the orchestrator keeps running. */
  get processes() {
    return [...this.cluster.pods, this.cluster.simulator];
  }

  async kill(process) {
    this.#killed.add(process);
    await process.kill();
  }

  /** Kills a process, and starts it again with other settings. */
  async replace(process, env) {
    process.env = env;
    await this.kill(process);
    await this.settled();
  }

  /** Resolves when every process is ready and a session can be opened again. */
  async settled() {
    await waitFor(async () => (await this.#unready()).length === 0, {
      ...{ what: 'every process to be ready', timeoutMs: 90_000 },
    }).catch(async (error) => {
      const names = (await this.#unready()).map(({ app }) => app);
      throw new Error(`${error.message}; not ready: ${names.join(', ')}`, { cause: error });
    });
    const path = `/Agent/${this.agentId}/realtime-session`;
    await waitFor(async () => (await this.ask('POST', path, { body: {} })).status === 200, {
      ...{ what: 'a session to be issued', timeoutMs: 60_000 },
    });
  }

  /** The gateway of each session that Redis knows, by conversation. */
  async owners() {
    const entries = Object.values(await this.redis.hgetall('parley:{live}:sessions'));
    const owners = new Map();
    for (const text of entries) {
      const { conversationId, address } = JSON.parse(text);
      const port = Number(address.split(':').at(-1));
      const gateway = this.cluster.gateways.find(({ internalPort }) => internalPort === port);
      owners.set(conversationId, gateway);
    }
    return owners;
  }

  /** Another server becomes Redis; until then, it does not follow any more. */
  async useRedis(server, { afterMs }) {
    await withoutMaster(server);
    await delay(afterMs);
    await this.redisServer.kill();
    this.redis.disconnect();
    this.redisServer = server;
    this.#lookAt(server);
    this.roads.redis.retarget(server.url);
    this.roads.redis.cut();
  }

  /** Another server, which has everything, becomes PostgreSQL. */
  async usePostgres(server) {
    await this.pool.end();
    await this.database.close();
    this.postgres = server;
    this.#lookInto(server);
    this.roads.database.retarget(server.url);
    this.roads.database.cut();
  }

  async close() {
    this.#isClosing = true;
    this.redis.disconnect();
    await this.pool.end();
    await this.database.close();
    await this.cluster.stop();
    for (const road of Object.values(this.roads)) await road.stop();
    this.tool.stop();
  }

  /** For the promises: past the network that fails. */
  #lookAt({ url }) {
    this.redis = new Redis(url, { retryStrategy: () => 100 });
    this.redis.on('error', () => {});
  }

  #lookInto({ url }) {
    this.database = connectDatabase({ url, applicationName: 'chaos' });
    this.pool = new Pool({ connectionString: url });
    this.pool.on('error', () => {});
  }

  async #furnish() {
    const note = {
      ...this.tool.definition,
      ...{ name: 'note', description: 'Notes a bill.', approvalRequired: false },
    };
    this.agentId = await this.cluster.client().createAgent([this.tool.definition, note]);
    const other = { organizationId: randomUUID(), apiKey: randomBytes(24).toString('hex') };
    const names = { organizationName: 'Other', keyName: 'other' };
    await bootstrapOrganization(this.database, { ...other, ...names });
    this.askAsOther = createRest(this.origin, other);
  }

  async #unready() {
    const states = await Promise.all(this.processes.map((each) => each.health('/readyz')));
    return this.processes.filter((_, n) => states[n] !== 200);
  }

  /** Starts a process again whenever it ends, as an orchestrator does. */
  async #watch(process) {
    let wasReady = true;
    for (;;) {
      const code = await process.ended;
      if (this.#isClosing) return;
      if (wasReady && !this.#killed.delete(process)) {
        const output = process.output.split('\n').slice(-5).join('\n');
        this.crashes.push(`${process.app} ended by itself with ${code}:\n${output}`);
      }
      this.restarts += 1;
      await delay(restartMs);
      wasReady = await process.restart(process.env).then(
        () => true,
        () => false,
      );
    }
  }
}

async function withoutMaster({ url }) {
  const client = new Redis(url);
  await client.replicaof('NO', 'ONE');
  client.disconnect();
}
