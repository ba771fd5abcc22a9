import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { connectRedis, hashSessionToken, redisOptions } from '@parley/session-store';
import {
  appProgram,
  needs,
  runNode,
  startRedisCluster,
  startRedisSentinel,
  testDatabase,
  waitFor,
  type RedisTopology,
  type RunningProgram,
} from '@parley/testkit';
import { refusalOf, TestClient } from './support/test-client.js';

const organizationId = '7b6f4a52-0000-4000-8000-00000000abcd';
const apiKey = 'a-key-made-by-the-operator';
const headers = {
  'X-Api-Key': apiKey,
  'X-Org-Id': organizationId,
  'Content-Type': 'application/json',
};
const topologies = { Sentinel: startRedisSentinel, Cluster: startRedisCluster } as const;

for (const [name, start] of Object.entries(topologies))
  describe(`api and gateway processes on Redis ${name}`, () => {
    needs('redis-server');
    let topology: RedisTopology;
    let simulator: Simulator;
    const programs: RunningProgram[] = [];
    let gateway: string;
    let sessions: string;

    before(async () => {
      topology = await start();
      simulator = await startSimulator();
      const env = {
        ...topology.settings,
        DATABASE_URL: (await testDatabase()).url,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        PROVIDER_KIND: 'openai-compatible',
        PROVIDER_BASE_URL: simulator.url,
        PROVIDER_API_KEY: 'sk-e2e',
        BOOTSTRAP_ORG_ID: organizationId,
        BOOTSTRAP_API_KEY: apiKey,
        HOST: '127.0.0.1',
        PORT: '0',
        INTERNAL_PORT: '0',
        DRAIN_LAG_SECONDS: '0',
      };
      const run = async (app: string) => {
        const program = runNode([appProgram(app)], { env });
        programs.push(program);
        const { port } = JSON.parse(await program.line(/"msg":"ready"/)) as { port: number };
        return port;
      };
      const api = `http://127.0.0.1:${await run('api')}`; // has migrated
      gateway = `ws://127.0.0.1:${await run('realtime-gateway')}`;
      const agent = await post<{ id: string }>(`${api}/api/v1/Agent`, { name: 'A' });
      sessions = `${api}/api/v1/Agent/${agent.id}/realtime-session`;
    });
    after(async () => {
      await Promise.all(programs.map((program) => program.stop()));
      await simulator.close();
      await topology.stop();
    });

    it('hold a session, keep it through a failover, and open the next one', async () => {
      const path = await newSession();
      const client = await TestClient.ready(gateway + path);
      await turn(client, 'Good morning!');
      await (await topology.failover()).restart();
      await turn(client, 'Still there.');
      const next = await waitFor(() => newSession().catch(() => undefined), {
        what: 'a new session',
      });
      const other = await waitFor(() => TestClient.ready(gateway + next).catch(() => undefined), {
        what: 'the gateway to admit it',
      });
      await turn(other, 'Hello again.');
      for (const spent of [path, next])
        expect((await refusalOf(gateway + spent)).body).to.include({
          errorCode: 'RealtimeSessionAlreadyUsed',
        });
      await Promise.all([client.leave(), other.leave()]);
    });

    it('refuse a spent token although the failover lost that it was spent', async () => {
      const path = await newSession();
      const hash = hashSessionToken(new URLSearchParams(path.split('?')[1]).get('sessionId')!);
      const key = `parley:rt:{${hash.toString('hex')}}:t`;
      await topology.failover({
        key,
        lose: async () => (await TestClient.ready(gateway + path)).leave(),
      });
      const redis = await connectRedis(redisOptions(topology.settings));
      expect(await redis.exists(key), 'the token is back').to.equal(1);
      redis.disconnect();
      const refusal = await waitFor(
        async () => {
          const answer = await refusalOf(gateway + path);
          return answer.status === 503 ? undefined : answer;
        },
        { what: 'the gateway to judge it' },
      );
      expect(refusal.body).to.include({ errorCode: 'RealtimeSessionAlreadyUsed' });
    });

    it('end with 0 on SIGTERM', async () => {
      for (const { child } of programs) child.kill('SIGTERM');
      expect(await Promise.all(programs.map(({ ended }) => ended))).to.deep.equal([0, 0]);
    });

    async function newSession(): Promise<string> {
      const { webSocketPath } = await post<{ webSocketPath: string }>(sessions, {});
      return webSocketPath;
    }
  });

async function post<T>(url: string, body: object): Promise<T> {
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** Has the agent say a sentence. */
async function turn(client: TestClient, sentence: string): Promise<void> {
  const content = [{ type: 'input_text', text: `!say ${sentence}` }];
  client.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content },
  });
  client.send({ type: 'response.create' });
  await client.where(
    (event) =>
      event.type === 'response.output_audio_transcript.done' && event['transcript'] === sentence,
    sentence,
  );
}
