import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecretBox } from '@parley/database';
import { createEgress } from '@parley/egress';
import type { QuestionAnswer, Tool } from '@parley/protocol';
import { startSimulator } from '@parley/provider-simulator';
import { requireConfig } from '@parley/service-kit';
import { connectRedis } from '@parley/session-store';
import { testHost, testRedis, waitFor } from '@parley/testkit';
import { open as openWorker } from '@parley/worker';
import { startApi, type ApiUnderTest, type Tenant, type TestSettings } from './api-under-test.js';
import type { Reply, RequestOptions } from './contract-client.js';

export type ToldEvent = { type: string; data: Record<string, unknown> };
export type StoredMessage = {
  id: string;
  role: string;
  content: string;
  status: string;
  toolCall: { name: string; status: number; approval: string | null } | null;
};

/** The api with the simulator as provider, and an HTTP server that counts what it is asked. */
export class QuestionStage {
  /** Bodies of the requests to the tool, and what it answers. */
  rings: string[] = [];
  readonly #ends: (() => unknown)[] = [];

  private constructor(
    readonly api: ApiUnderTest,
    readonly tenant: Tenant,
    readonly urls: { simulator: string; bell: string; redis: string },
  ) {}

  static async open(settings: TestSettings = {}): Promise<QuestionStage> {
    const simulator = await startSimulator();
    const redis = settings.redisUrl ?? (await testRedis()).url;
    const api = await startApi({
      ...settings,
      redisUrl: redis,
      defaultConnection: { kind: 'simulator', baseUrl: simulator.url, secret: 'sk-test' },
    });
    const rings: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        rings.push(body);
        response.end('rung');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const bell = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const tenant = await api.organization();
    const stage = new QuestionStage(api, tenant, { simulator: simulator.url, bell, redis });
    stage.rings = rings;
    stage.#ends.push(
      () => simulator.close(),
      () => {
        server.closeAllConnections();
        server.close();
      },
      () => api.stop(),
    );
    return stage;
  }

  async close(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }

  onClose(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Resolves with a function that stops it. */
  async worker(): Promise<() => Promise<void>> {
    const { redis: url, simulator: baseUrl } = this.urls;
    const { config } = requireConfig('worker', {
      DATABASE_URL: this.api.databaseUrl,
      REDIS_URL: url,
      SECRETS_KEY: this.api.secretsKey,
      PROVIDER_TEXT_MODEL: 'sim-text',
      DRAIN_TIMEOUT_SECONDS: '5',
    });
    const host = testHost('worker', config);
    const egress = createEgress(['127.0.0.1']);
    host.lifecycle.add('egress', () => egress.close());
    const redis = await connectRedis({ url });
    host.lifecycle.add('redis', () => redis.disconnect());
    this.#ends.push(() => host.stop());
    await openWorker({
      ...{ ...host, redis, egress, redisOptions: { url } },
      database: this.api.database,
      secretBox: createSecretBox(this.api.secretsKey),
      defaultConnection: { kind: 'simulator', baseUrl, secret: 'sk-test' },
    });
    return () => host.stop();
  }

  bell(more: Partial<Extract<Tool, { kind: 'http' }>> = {}): Tool {
    return {
      kind: 'http',
      name: 'bell',
      description: 'Rings.',
      method: 'POST',
      url: this.urls.bell,
      parameters: { type: 'object', properties: { n: {}, deep: {} } },
      ...more,
    };
  }

  async agent(tools: Tool[] = [], fields: object = {}): Promise<string> {
    const reply = await this.tenant.client.post('/api/v1/Agent', { name: 'Ada', tools, ...fields });
    return (reply.body as { id: string }).id;
  }

  ask(agentId: string, body: object, options: RequestOptions = {}): Promise<Reply> {
    return this.tenant.client.post(`/api/v1/Agent/${agentId}/question`, body, options);
  }

  async answer(agentId: string, question: string, more: object = {}): Promise<QuestionAnswer> {
    return (await this.ask(agentId, { question, ...more })).body as QuestionAnswer;
  }

  /** The events of an answer as they come; the request is the caller's to abort. */
  async stream(agentId: string, question: string, signal?: AbortSignal) {
    const { id, key } = this.tenant;
    const response = await fetch(`${this.api.url}/api/v1/Agent/${agentId}/question`, {
      method: 'POST',
      headers: {
        'X-Api-Key': key,
        'X-Org-Id': id,
        'Content-Type': 'application/json',
        Accept: 'text/event-stream',
      },
      body: JSON.stringify({ question }),
      ...(signal && { signal }),
    });
    return { response, events: eventsOf(response) };
  }

  async messages(conversationId: string): Promise<StoredMessage[]> {
    const { body } = await this.tenant.client.get(`/api/v1/Conversation/${conversationId}/message`);
    return (body as { items: StoredMessage[] }).items;
  }

  /** The answer in the conversation, once it is there. */
  answered({ conversationId, messageId }: QuestionAnswer): Promise<StoredMessage> {
    return waitFor(
      async () => (await this.messages(conversationId)).find(({ id }) => id === messageId),
      { what: 'the answer', timeoutMs: 60_000 },
    );
  }

  decide(id: string, verdict: 'approve' | 'reject'): Promise<Reply> {
    return this.tenant.client.post(`/api/v1/Approval/${id}/${verdict}`);
  }
}

async function* eventsOf(response: Response): AsyncGenerator<ToldEvent> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (type === undefined || data === undefined) continue;
      const event = JSON.parse(data) as ToldEvent;
      if (event.type !== type) throw new Error(`${type} says that it is ${event.type}`);
      yield event;
    }
  }
}
