import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import {
  appProgram,
  createPrivateCa,
  needs,
  runNode,
  startRedisCluster,
  startRedisSentinel,
  startRedisServer,
  waitFor,
  type PrivateCa,
} from '@parley/testkit';
import { AppProcess, type AppName } from './support/app-process.js';
import { startSecuredPostgres, startTlsFront } from './support/secured-servers.js';
import { ServiceClient } from './support/service-client.js';

type Env = Record<string, string>;
type Redis = { settings: Env; stop(): Promise<void> };
type Mistake = { what: string; env: (settings: Env) => Env; line: RegExp };

const password = 'p,w:/@%';
const unknownCa = { NODE_EXTRA_CA_CERTS: '' };
const withPassword = (REDIS_URL: string, other: string) =>
  REDIS_URL.replaceAll(`:${encodeURIComponent(password)}@`, other);

const untrusted: Mistake = {
  what: 'an unknown CA',
  env: () => unknownCa,
  line: /self-signed certificate in certificate chain; for a private CA, set NODE_EXTRA_CA_CERTS/,
};
const wrongPassword: Mistake = {
  what: 'a wrong password',
  env: ({ REDIS_URL = '' }) => ({ REDIS_URL: withPassword(REDIS_URL, ':wrong@') }),
  line: /WRONGPASS/,
};

const modes: Record<string, { start: (tls: PrivateCa) => Promise<Redis>; mistakes: Mistake[] }> = {
  single: {
    start: async (tls) => {
      const server = await startRedisServer({ tls, password });
      return { settings: { REDIS_URL: server.url }, stop: () => server.stop() };
    },
    mistakes: [
      untrusted,
      wrongPassword,
      {
        what: 'no password',
        env: ({ REDIS_URL = '' }) => ({ REDIS_URL: withPassword(REDIS_URL, '') }),
        line: /NOAUTH it asks for a password$/m,
      },
    ],
  },
  sentinel: {
    start: (tls) => startRedisSentinel({ tls, password, sentinelPassword: 'of-the-sentinels' }),
    mistakes: [
      { ...untrusted, line: /sentinel 127\.0\.0\.1:\d+: self-signed certificate.*CA_CERTS/ },
      wrongPassword,
      {
        what: 'a wrong password of the sentinels',
        env: () => ({ REDIS_SENTINEL_PASSWORD: 'wrong' }),
        line: /sentinel 127\.0\.0\.1:\d+ because WRONGPASS/,
      },
    ],
  },
  cluster: {
    start: (tls) => startRedisCluster({ tls, password }),
    mistakes: [untrusted, wrongPassword],
  },
};

describe('PostgreSQL, Redis and a provider with certificates of a private CA', function () {
  this.timeout(120_000);
  needs('redis-server', 'openssl');
  const credentials = { organizationId: randomUUID(), apiKey: randomBytes(24).toString('hex') };
  let ca: PrivateCa;
  let common: Env;
  let withoutTls: string;
  const stops: (() => unknown)[] = [];

  before(async () => {
    ca = await createPrivateCa();
    const postgres = await startSecuredPostgres(ca);
    const simulator = await (await AppProcess.start('provider-simulator', {})).ready();
    const provider = await startTlsFront(simulator.port, ca);
    stops.push(
      () => provider.close(),
      () => simulator.kill(),
      () => postgres.server.stop(),
    );
    withoutTls = postgres.server.url;
    common = {
      DATABASE_URL: postgres.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_BASE_URL: `https://localhost:${provider.port}/v1`,
      PROVIDER_API_KEY: 'sk-simulated',
      BOOTSTRAP_ORG_ID: credentials.organizationId,
      BOOTSTRAP_API_KEY: credentials.apiKey,
      NODE_EXTRA_CA_CERTS: ca.ca,
    };
  });
  after(async () => {
    for (const stop of stops) await stop();
  });

  /** What a process prints that cannot start, the lines of its log apart. */
  const lastWords = async (app: AppName | 'admin', env: Env): Promise<string> => {
    const main = appProgram(app);
    const program =
      app === 'admin'
        ? runNode([main, 'migrate'], { env })
        : runNode([main], { env: { PORT: '0', INTERNAL_PORT: '0', ...env } });
    expect(await program.ended).to.equal(app === 'admin' ? 78 : 1);
    return program.output
      .split('\n')
      .filter((line) => !line.startsWith('{'))
      .join('\n');
  };

  for (const [mode, { start, mistakes }] of Object.entries(modes))
    describe(`and Redis ${mode} with passwords`, () => {
      let redis: Redis;
      let settings: Env;

      before(async () => {
        redis = await start(ca);
        settings = { ...common, ...redis.settings };
      });
      after(() => redis.stop());

      it('carry a question, a session and a job', async () => {
        const startApp = async (app: AppName) => (await AppProcess.start(app, settings)).ready();
        const api = await startApp('api');
        const [gateway, worker] = [await startApp('realtime-gateway'), await startApp('worker')];
        const client = new ServiceClient(api.origin, credentials);
        const agentId = await client.createAgent();
        const question = { question: 'Hello?' };
        const answer = await client.request('POST', `/Agent/${agentId}/question`, question);
        expect(answer).to.deep.include({ status: 200 });
        const session = await client.connect(agentId, gateway.origin);
        await session.turn('Hello!');
        await session.leave();
        await waitFor(async () => (await worker.metric('parley_job_runs_total')) > 0, {
          what: 'a job',
          timeoutMs: 30_000,
        });
        const exits = await Promise.all([api, gateway, worker].map((app) => app.term()));
        expect(exits).to.deep.equal([0, 0, 0]);
      });

      for (const { what, env, line } of mistakes)
        it(`end a gateway with one line about ${what}`, async () => {
          const wrong = { ...settings, DATABASE_URL: withoutTls, ...env(settings) };
          const words = await lastWords('realtime-gateway', wrong);
          expect(words)
            .to.match(line)
            .and.match(/^REDIS_URL cannot be used: [^\n]+$/);
        });
    });

  for (const app of ['admin', 'api'] as const) {
    const settingsOf = () =>
      app === 'api'
        ? { ...common, REDIS_URL: 'redis://127.0.0.1:1' }
        : { DATABASE_URL: common['DATABASE_URL']!, NODE_EXTRA_CA_CERTS: ca.ca };

    it(`end ${app} with one line about an unknown CA of PostgreSQL`, async () => {
      expect(await lastWords(app, { ...settingsOf(), ...unknownCa })).to.match(
        /^DATABASE_URL cannot be used: unable to verify the first certificate.*; for a private CA, set NODE_EXTRA_CA_CERTS$/,
      );
    });

    it(`end ${app} with one line about a wrong password of PostgreSQL`, async () => {
      const url = new URL(common['DATABASE_URL']!);
      url.password = 'wrong';
      expect(await lastWords(app, { ...settingsOf(), DATABASE_URL: url.href })).to.match(
        /^DATABASE_URL cannot be used: password authentication failed for user "\w+"$/,
      );
    });
  }
});
