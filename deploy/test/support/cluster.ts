import { randomBytes, randomUUID } from 'node:crypto';
import {
  startRedisServer,
  testDatabase,
  type KillableServer,
  type TestDatabase,
} from '@parley/testkit';
import { AppProcess, type AppName } from './app-process.js';
import { isWhole } from './proof-scale.js';
import { startLoadBalancer, type LoadBalancer } from './load-balancer.js';
import { ServiceClient, type Credentials } from './service-client.js';

export type ClusterOptions = {
  readonly apis: number;
  readonly gateways: number;
  readonly workers: number;
  /** Settings of every process that knows them. */
  readonly env?: Record<string, string>;
  /** Its database; a new one of the run's PostgreSQL if none is given. */
  readonly database?: TestDatabase;
  /** Puts something between the pods and a server: answers with the URL that they get instead. */
  readonly through?: (server: ServerName, url: string) => Promise<string>;
};

/** What the pods reach over a network. */
export type ServerName = 'redis' | 'database' | 'provider';

type Env = Record<string, string>;
type Parts = {
  redis: KillableServer;
  database: TestDatabase;
  simulator: AppProcess;
  urls: Record<ServerName, string>;
  env: Env;
};

/** A deployment as processes: the apps, their stores, the simulator as the provider, and HAProxy in front. */
export class Cluster {
  readonly redis: KillableServer;
  readonly simulator: AppProcess;
  readonly databaseUrl: string;
  readonly credentials: Credentials;
  readonly apis: AppProcess[] = [];
  readonly gateways: AppProcess[] = [];
  readonly workers: AppProcess[] = [];
  readonly #parts: Parts;
  #balancer!: LoadBalancer;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.redis = parts.redis;
    this.simulator = parts.simulator;
    this.databaseUrl = parts.database.url;
    this.credentials = { organizationId: randomUUID(), apiKey: randomBytes(24).toString('hex') };
  }

  /** Resolves when every process is ready and the load balancer answers. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const { apis, gateways, workers, env = {}, through = straight } = options;
    // What is answered is written: a kill loses nothing.
    const redis = await startRedisServer({ args: ['--appendonly', 'yes'] });
    const database = options.database ?? (await testDatabase());
    const simulator = await (await AppProcess.start('provider-simulator', {})).ready();
    const urls = {
      redis: await through('redis', redis.url),
      database: await through('database', database.url),
      provider: await through('provider', simulator.origin),
    };
    const cluster = new Cluster({ redis, database, simulator, urls, env });
    const settings = cluster.#settings();
    const startAll = (app: AppName, count: number) =>
      Promise.all(Array.from({ length: count }, () => AppProcess.start(app, settings)));
    // The schema comes with the first api.
    cluster.apis.push(...(await startAll('api', apis)));
    await Promise.all(cluster.apis.map((api) => api.ready()));
    cluster.gateways.push(...(await startAll('realtime-gateway', gateways)));
    cluster.workers.push(...(await startAll('worker', workers)));
    await Promise.all(cluster.pods.map((pod) => pod.ready()));
    cluster.#balancer = await startLoadBalancer(cluster);
    return cluster;
  }

  /** Where users reach it: the load balancer. */
  get origin(): string {
    return this.#balancer.origin;
  }

  get balancer(): LoadBalancer {
    return this.#balancer;
  }

  get pods(): AppProcess[] {
    return [...this.apis, ...this.gateways, ...this.workers];
  }

  client(origin = this.origin): ServiceClient {
    return new ServiceClient(origin, this.credentials);
  }

  async stop(): Promise<void> {
    const { simulator, redis, database } = this.#parts;
    await this.#balancer.program.stop();
    await Promise.all([...this.pods, simulator].map((pod) => pod.kill()));
    await redis.stop();
    await database.drop();
  }

  #settings(): Env {
    const { urls, env } = this.#parts;
    return {
      REDIS_URL: urls.redis,
      DATABASE_URL: urls.database,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_BASE_URL: new URL('/v1', urls.provider).href,
      PROVIDER_API_KEY: 'sk-simulated',
      BOOTSTRAP_ORG_ID: this.credentials.organizationId,
      BOOTSTRAP_API_KEY: this.credentials.apiKey,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_SESSIONS_PER_MINUTE: '1000000',
      FAILED_ATTEMPTS_PER_MINUTE: '1000000',
      QUOTA_REALTIME_SESSIONS: '1000000',
      REALTIME_IDLE_TIMEOUT_SECONDS: '600',
      TOOL_EGRESS_ALLOW: '127.0.0.1',
      // Everything else is as it is deployed; this is so that a stopped process does not take two minutes.
      DRAIN_TIMEOUT_SECONDS: '4',
      DRAIN_LAG_SECONDS: isWhole ? '5' : '4',
      ...env,
    };
  }
}

async function straight(_server: ServerName, url: string): Promise<string> {
  return Promise.resolve(url);
}
