import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import {
  appProgram,
  runNode,
  testDatabase,
  testRedis,
  waitFor,
  type TestDatabase,
} from '@parley/testkit';
import { AppProcess } from './support/app-process.js';
import { ServiceClient } from './support/service-client.js';

const admin = appProgram('admin');
const newKey = () => randomBytes(32).toString('base64');
const [oldKey, key] = [newKey(), newKey()];

type Keys = { SECRETS_KEY: string; SECRETS_KEY_PREVIOUS: string };
type Counts = Record<'resealed' | 'current' | 'unreadable', number>;

describe('replacing SECRETS_KEY', function () {
  this.timeout(180_000);
  const credentials = { organizationId: randomUUID(), apiKey: randomBytes(24).toString('hex') };
  const headers = {
    'X-Api-Key': credentials.apiKey,
    'X-Org-Id': credentials.organizationId,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'once',
  };
  const events: { headers: IncomingMessage['headers']; body: string }[] = [];
  let database: TestDatabase;
  let webhooks: Server;
  let simulator: AppProcess;
  let api: AppProcess;
  let gateway: AppProcess;
  let worker: AppProcess;
  let client: ServiceClient;

  before(async () => {
    database = await testDatabase();
    webhooks = createServer((request, response) => {
      void text(request).then((body) => {
        events.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(webhooks, 'listening');
    simulator = await AppProcess.start('provider-simulator', {});
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: (await testRedis()).url,
      SECRETS_KEY: oldKey,
      BOOTSTRAP_ORG_ID: credentials.organizationId,
      BOOTSTRAP_API_KEY: credentials.apiKey,
      TOOL_EGRESS_ALLOW: '127.0.0.1',
      DRAIN_LAG_SECONDS: '0',
      DRAIN_TIMEOUT_SECONDS: '1',
    };
    api = await (await AppProcess.start('api', env)).ready();
    gateway = await AppProcess.start('realtime-gateway', env);
    worker = await AppProcess.start('worker', env);
    await Promise.all([simulator, gateway, worker].map((pod) => pod.ready()));
    client = new ServiceClient(api.origin, credentials);
  });
  after(async () => {
    await Promise.all([simulator, api, gateway, worker].map((pod) => pod.kill()));
    webhooks.close().closeAllConnections();
    await database.drop();
  });

  const rollOut = (pods: AppProcess[], keys: Keys) =>
    Promise.all(
      pods.map(async (pod) => {
        await pod.term();
        await pod.restart(keys);
      }),
    );

  const create = async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await client.request<Body>('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  };

  /** An agent on a connection whose secret the gateway has to open. */
  const createAgent = async (): Promise<string> => {
    const { id: connectionId } = await create<{ id: string }>('/Connection', {
      name: 'Own',
      kind: 'openai-compatible',
      baseUrl: `${simulator.origin}/v1`,
      secret: 'sk-own',
      models: ['gpt-realtime'],
    });
    const agent = { name: 'Ada', systemMessage: 'Be kind.', connectionId, model: 'gpt-realtime' };
    return (await create<{ id: string }>('/Agent', agent)).id;
  };

  const createTaskOnce = async () => {
    const body = JSON.stringify({ title: 'Once' });
    const options = { method: 'POST', headers, body };
    const answer = await fetch(`${api.origin}/api/v1/Task`, options);
    expect(answer.status).to.equal(201);
    return ((await answer.json()) as { id: string }).id;
  };

  const signedEvent = async (secret: string) => {
    events.length = 0;
    await create('/Task', { title: 'Tell me' });
    await waitFor(() => events.length > 0, { what: 'the webhook', timeoutMs: 30_000 });
    const { headers: sent, body } = events[0]!;
    const content = `${sent['webhook-id'] as string}.${sent['webhook-timestamp'] as string}.${body}`;
    const mac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
    expect(sent['webhook-signature']).to.equal(`v1,${mac.update(content).digest('base64')}`);
  };

  const reencrypt = async (keys: Keys) => {
    const program = runNode([admin, 'secrets', 'reencrypt', '--json'], {
      env: { DATABASE_URL: database.url, ...keys },
    });
    expect(await program.ended, program.output).to.equal(0);
    return (JSON.parse(program.output) as { counts: Record<string, Counts> }).counts;
  };

  it('is noticed by nobody', async () => {
    const agentId = await createAgent();
    const webhook = { url: address(webhooks), events: ['task.changed'] };
    const { secret } = await create<{ secret: string }>('/Webhook', webhook);
    const taskId = await createTaskOnce();
    const everythingReads = async (agents: string[]) => {
      for (const id of agents) await (await client.connect(id, gateway.origin)).leave();
      await signedEvent(secret);
      expect(await createTaskOnce()).to.equal(taskId);
    };
    await everythingReads([agentId]);

    const both = { SECRETS_KEY: oldKey, SECRETS_KEY_PREVIOUS: key };
    await rollOut([api, gateway, worker], both);
    const swapped = { SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: oldKey };
    await rollOut([api], swapped);
    // Stored by a new api, read by an old gateway.
    const newcomer = await createAgent();
    await everythingReads([agentId, newcomer]);
    await rollOut([gateway, worker], swapped);
    await everythingReads([agentId, newcomer]);

    expect(await reencrypt(swapped)).to.deep.equal({
      connection: { resealed: 1, current: 1, unreadable: 0 },
      agent: { resealed: 0, current: 0, unreadable: 0 },
      webhook: { resealed: 1, current: 0, unreadable: 0 },
      answer: { resealed: 1, current: 0, unreadable: 0 },
    });
    const alone = { SECRETS_KEY: key, SECRETS_KEY_PREVIOUS: '' };
    await rollOut([api, gateway, worker], alone);
    await everythingReads([agentId, newcomer]);
    expect((await reencrypt(alone))['connection']).to.include({ current: 2, unreadable: 0 });
  });
});

function address(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
