import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { errorLimits } from '@parley/protocol';
import { requireConfig } from '@parley/service-kit';
import { helloPdf } from '@parley/testkit';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode, type Reply } from './support/contract-client.js';
import { startHostileServer, type HostileServer } from './support/hostile-server.js';
import { formOf, upload } from './support/upload.js';

const mebibyte = 1024 * 1024;

const failuresPerMinute = 20;
const { config: runDefaults } = requireConfig('standalone', {});

type Scene = {
  readonly tenant: Tenant;
  readonly hostile: HostileServer;
  /** Work that the attack itself can see being done. */
  readonly count: () => void;
  readonly counted: () => number;
};

/**
 * A request that once held up or ended the process. Work is counted, not timed: what cannot be counted from outside is chosen so large that whoever
 * does it all does not come back before the test is over.
 */
type Attack = {
  readonly send: (scene: Scene) => Promise<Reply>;
  /** The status, and the problem's code if there is one. */
  readonly answer: readonly [status: number, code?: string];
  readonly cost?: { readonly of: (reply: Reply, scene: Scene) => number; readonly most: number };
  /** What else the neighbour does meanwhile. */
  readonly neighbour?: (tenant: Tenant) => Promise<Reply>;
};

const errorsTold = {
  of: ({ body }: Reply) => (body as { errors: unknown[] }).errors.length,
  most: errorLimits.count,
};
const bytesTaken = { of: (_: Reply, { hostile }: Scene) => hostile.sent(), most: 8 * mebibyte };

const save = ({ tenant }: Scene, tools: unknown[]) =>
  tenant.client.post('/api/v1/Agent', { name: 'A', tools });
const httpTool = (name: string, body: string) => ({
  ...{ kind: 'http', name, description: 'D', method: 'POST', url: 'https://example.com/', body },
});

const idOf = ({ body }: Reply) => (body as { id: string }).id;

/** A connection to one of the hostile server's models, and what makes agents that use it. */
async function hostileModel({ tenant: { client }, hostile }: Scene, path: string) {
  const kind = 'openai-compatible';
  const connection = {
    name: 'C',
    kind,
    baseUrl: `${hostile.url}${path}`,
    secret: 'sk-hostile-key',
  };
  const connectionId = idOf(await client.post('/api/v1/Connection', connection));
  return async (tools: unknown[]) =>
    idOf(await client.post('/api/v1/Agent', { name: 'A', connectionId, tools }));
}

const question = ({ tenant }: Scene, agentId: string) =>
  tenant.client.post(`/api/v1/Agent/${agentId}/question`, { question: 'Hello?' });

/** Asks an agent whose provider, and whose MCP servers, never come to an end. */
async function askEndless(scene: Scene, mcpServers: number): Promise<Reply> {
  const agent = await hostileModel(scene, '/v1');
  const tools = Array.from({ length: mcpServers }, (_, at) => ({
    ...{ kind: 'mcp', name: `server_${at}`, serverUrl: `${scene.hostile.url}/mcp/${at}` },
  }));
  return question(scene, await agent(tools));
}

/** Asks an agent that asks sixteen others at once, each of which does the same, and so on. */
async function askBomb(scene: Scene): Promise<Reply> {
  const agent = await hostileModel(scene, '/calls/v1');
  let agentId = await agent([]);
  for (let level = 0; level < 4; level += 1)
    agentId = await agent([{ kind: 'subagent', name: 'ask', description: 'Asks.', agentId }]);
  return question(scene, agentId);
}

const attacks: Readonly<Record<string, Attack>> = {
  'a file of comments': {
    send: ({ tenant }) => upload(tenant, { content: `${'<!---->'.repeat(34)}x`, name: 'notes.md' }),
    answer: [201],
  },
  'a form that is wrong in two ways': {
    send: ({ tenant }) =>
      upload(tenant, formOf(['a', '\x0f'].map((field) => ({ content: 'x', name: null, field })))),
    answer: [400, 'body-malformed'],
  },
  'templates of nothing but braces': {
    send: (scene) =>
      save(
        scene,
        ['a', 'b', 'c'].map((name) => httpTool(name, '{'.repeat(65_536))),
      ),
    answer: [400, 'body-invalid'],
    cost: errorsTold,
  },
  'templates that name a great many unknown parameters': {
    send: (scene) =>
      save(
        scene,
        Array.from({ length: 15 }, (_, tool) => {
          const names = Array.from({ length: 6000 }, (_, at) => `{{x${at}}}`);
          return httpTool(`t${tool}`, names.join(''));
        }),
      ),
    answer: [400, 'body-invalid'],
    cost: errorsTold,
  },
  'half a million wrong values in a kilobyte of gzip': {
    send: ({ tenant }) =>
      tenant.client.post('/api/v1/Agent', undefined, {
        raw: gzipSync(`{"name":"A","tools":[${'1,'.repeat(500_000)}1]}`),
        headers: { 'Content-Encoding': 'gzip' },
      }),
    answer: [400, 'body-invalid'],
    cost: errorsTold,
  },
  'a field with a name of a megabyte': {
    send: ({ tenant }) =>
      tenant.client.post('/api/v1/Agent', { name: 'A', ['x'.repeat(1_000_000)]: 1 }),
    answer: [400, 'body-invalid'],
    cost: { of: ({ body }) => JSON.stringify(body).length, most: 10_000 },
  },
  'two hundred wrong keys from the neighbour’s own address': {
    send: async ({ tenant, count }) => {
      for (let n = 0; ; n += 1) {
        const headers = { 'X-Api-Key': `parley_test_${n}` };
        const reply = await tenant.client.get('/api/v1/Agent', { headers });
        if (reply.status === 401) count();
        if (n === 199) return reply;
      }
    },
    answer: [429, 'rate-limited'],
    cost: { of: (_, { counted }) => counted(), most: failuresPerMinute },
  },
  'a provider whose answer never ends': {
    send: (scene) => askEndless(scene, 0),
    answer: [502, 'provider-unavailable'],
    cost: bytesTaken,
  },
  'sixteen MCP servers whose lists never end': {
    send: (scene) => askEndless(scene, 16),
    answer: [502, 'provider-unavailable'],
    cost: bytesTaken,
  },
  'a question that asks sixteen agents, each of which asks sixteen': {
    send: askBomb,
    answer: [200],
    cost: { of: (_, { hostile }) => hostile.asked(), most: runDefaults.RUN_MAX_MODEL_CALLS },
  },
  'eighteen PDFs at once': {
    send: async ({ tenant }) => {
      const one = () =>
        upload(tenant, { content: helloPdf, name: 'a.pdf', type: 'application/pdf' });
      const [first] = await Promise.all(Array.from({ length: 18 }, one));
      return first!;
    },
    answer: [201],
    neighbour: (tenant) => upload(tenant, { content: helloPdf, name: 'mine.pdf' }),
  },
};

describe('an attack', () => {
  let api: ApiUnderTest;
  let attacker: Tenant;
  let neighbour: Tenant;
  before(async () => {
    api = await startApi({ egressAllow: ['127.0.0.1'], failuresPerMinute });
    [attacker, neighbour] = await Promise.all([api.organization(), api.organization()]);
  });
  after(() => api.stop());

  /** Ordinary requests, one after the other, for as long as the attack lasts. */
  const goOnUntil = async (
    over: Promise<unknown>,
    doMore: Attack['neighbour'],
  ): Promise<number[]> => {
    const statuses: number[] = [];
    const attack = { lasts: true };
    void over.finally(() => (attack.lasts = false)).catch(() => undefined);
    do {
      const created = await neighbour.client.post('/api/v1/Task', { title: 'T' });
      const listed = await neighbour.client.get('/api/v1/Task?Limit=1');
      statuses.push(created.status, listed.status);
      if (doMore) statuses.push((await doMore(neighbour)).status);
    } while (attack.lasts);
    return statuses;
  };

  for (const [title, attack] of Object.entries(attacks))
    it(`is answered, and the neighbour does not notice: ${title}`, async () => {
      const hostile = await startHostileServer();
      try {
        let work = 0;
        const count = () => void (work += 1);
        const scene = { tenant: attacker, hostile, count, counted: () => work };
        const sending = attack.send(scene);
        const meanwhile = goOnUntil(sending, attack.neighbour);
        const [reply, statuses] = await Promise.all([sending, meanwhile]);
        const [status, code] = attack.answer;
        expect(reply.status, JSON.stringify(reply.body).slice(0, 500)).to.equal(status);
        if (code !== undefined) expect(problemCode(reply)).to.equal(code);
        expect([...new Set(statuses)]).to.have.members([201, 200]);
        const { cost } = attack;
        if (cost) expect(cost.of(reply, scene)).to.be.at.most(cost.most);
      } finally {
        hostile.close();
      }
    });
});
