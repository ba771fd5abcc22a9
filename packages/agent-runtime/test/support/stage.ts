import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import {
  approvalMetrics,
  createApprovalDesk,
  type ApprovalDesk,
  type Verdict,
} from '@parley/approvals';
import {
  changeAgentSecrets,
  createSecretBox,
  insertAgent,
  insertConversation,
  insertOrganization,
  listMessages,
  secretContext,
  type MessageRecord,
  startRealtimeSession,
} from '@parley/database';
import { createEgress, type Egress } from '@parley/egress';
import type { Tool } from '@parley/protocol';
import { connectRedis, openJobProducer } from '@parley/session-store';
import type { ProviderConnection } from '@parley/providers';
import { appProgram, migratedDatabase, runNode, testRedis } from '@parley/testkit';
import {
  createAgentRuntime,
  openQuestionJournal,
  type AgentRuntimeOptions,
  type CallOutcome,
  type CallPlace,
  type OpenCall,
  type Report,
  type Toolbox,
} from '#src/index.js';
import { loadAgent } from '#src/load-agent.js';

const simulator = appProgram('provider-simulator');

export type Told = { type: string; data: Record<string, unknown> };
export type Heard = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** Real stores, one organization, and an HTTP server that remembers what it was asked. */
export class Stage {
  readonly told: Told[] = [];
  readonly heard: Heard[] = [];
  readonly reports: { event: string; details: Readonly<Record<string, unknown>> }[] = [];
  readonly endings: string[] = [];
  readonly executionTimes: number[] = [];
  respond: (heard: Heard, response: Parameters<RequestListener>[1]) => void = (_heard, response) =>
    response.end('ok');
  readonly options: AgentRuntimeOptions;
  readonly approvals: ApprovalDesk;
  readonly organizationId: string;
  readonly #ends: (() => unknown)[];

  private constructor(parts: {
    options: Omit<AgentRuntimeOptions, 'journal'>;
    approvals: ApprovalDesk;
    organizationId: string;
    ends: (() => unknown)[];
  }) {
    this.approvals = parts.approvals;
    this.organizationId = parts.organizationId;
    this.#ends = [...parts.ends, () => this.options.journal.close()];
    this.options = {
      ...parts.options,
      journal: openQuestionJournal(parts.options.database, this.report, 5000),
      report: this.report,
      metrics: {
        started: () => undefined,
        stopped: () => undefined,
        finished: (kind, { ending, executionMs }) => {
          this.endings.push(`${kind} ${ending}`);
          this.executionTimes.push(executionMs);
        },
      },
    };
  }

  readonly report: Report = (event, details) => {
    this.reports.push({ event, details });
  };

  static async open(): Promise<Stage> {
    const database = await migratedDatabase();
    const { url } = await testRedis();
    const redis = await connectRedis({ url, name: 'stage' });
    const jobs = await openJobProducer(redis, () => undefined);
    const egress: Egress = createEgress(['127.0.0.1']);
    const approvals = createApprovalDesk({
      ...{ database: database.database, redis, producer: jobs },
      metrics: approvalMetrics(new Registry()),
      onError: () => undefined,
    });
    const { id: organizationId } = await database.database.asSystem((scope) =>
      insertOrganization(scope, { name: 'Stage' }),
    );
    const options: Omit<AgentRuntimeOptions, 'journal'> = {
      database: database.database,
      secretBox: createSecretBox(randomBytes(32).toString('base64')),
      approvals,
      egress,
      settings: {
        REALTIME_APPROVAL_TIMEOUT_SECONDS: 60,
        PROVIDER_TEXT_MODEL: 'any',
        RUN_MAX_MODEL_CALLS: 50,
        RUN_MAX_TOOL_CALLS: 100,
        RUN_MAX_SECONDS: 300,
      },
      defaultConnection: undefined,
      metrics: { started: () => undefined, stopped: () => undefined, finished: () => undefined },
      report: () => undefined,
    };
    const ends = [
      () => database.drop(),
      () => redis.disconnect(),
      () => jobs.close(),
      () => egress.close(),
    ];
    return new Stage({ options, approvals, organizationId, ends });
  }

  async close(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }

  onClose(end: () => unknown): void {
    this.#ends.push(end);
  }

  forget(): void {
    const lists = [this.told, this.heard, this.reports, this.endings, this.executionTimes];
    for (const list of lists) list.length = 0;
    this.respond = (_heard, response) => response.end('ok');
  }

  /** The origin of a server that hears and answers. */
  async listen(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const heard = { method, url, headers, body: Buffer.concat(chunks).toString() };
        this.heard.push(heard);
        this.respond(heard, response);
      });
    });
    return this.serve(server);
  }

  async serve(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.onClose(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A provider whose text model does what it is asked to. */
  async provider(): Promise<ProviderConnection> {
    const env = { HOST: '127.0.0.1', PORT: '0', INTERNAL_PORT: '0' };
    const program = runNode([simulator], { env });
    this.onClose(() => program.stop());
    const { port } = JSON.parse(await program.line(/"ready"/)) as { port: number };
    return { kind: 'simulator', baseUrl: `http://127.0.0.1:${port}/v1`, secret: 'sk-test-key' };
  }

  async agent(
    tools: Tool[],
    { name = 'Ada', secrets = {} }: { name?: string; secrets?: Record<string, string> } = {},
  ): Promise<string> {
    const { database, secretBox } = this.options;
    return database.inOrganization(this.organizationId, async (scope) => {
      const id = await insertAgent(scope, { ...agentFields, name, tools });
      const sealed = Object.entries(secrets).map(([key, value]): [string, Buffer] => [
        key,
        secretBox.seal(value, secretContext.agent(id, key)),
      ]);
      await changeAgentSecrets(scope, id, new Map(sealed));
      return id;
    });
  }

  async place(agentId: string): Promise<CallPlace> {
    const { organizationId } = this;
    const { id: conversationId } = await this.options.database.inOrganization(
      organizationId,
      (scope) => insertConversation(scope, agentId),
    );
    return { organizationId, conversationId, sessionId: null, runId: null };
  }

  async session({ conversationId }: CallPlace, agentId: string): Promise<string> {
    const ids = { id: randomUUID(), agentId, conversationId, keyId: null };
    const session = { ...ids, tokenHash: randomBytes(32) };
    await this.options.database.inOrganization(this.organizationId, (scope) =>
      startRealtimeSession(scope, session),
    );
    return session.id;
  }

  async toolbox(
    agentId: string,
    place: CallPlace,
    options: Partial<AgentRuntimeOptions> = {},
  ): Promise<Toolbox> {
    const runtime = createAgentRuntime({ ...this.options, ...options });
    const agent = await loadAgent(this.options, this.organizationId, agentId);
    if (!agent) throw new Error('The agent is gone.');
    const toolbox = await runtime.openToolbox(place, agent, { emit: this.emit, owner: 'pod-1' });
    this.onClose(() => toolbox.close());
    return toolbox;
  }

  /** A call of a tool of an agent of its own. */
  async call(tool: Tool, input: string, options: Partial<AgentRuntimeOptions> = {}) {
    const agentId = await this.agent([tool], { secrets: { KEY: 'sk-very-secret' } });
    const place = await this.place(agentId);
    const toolbox = await this.toolbox(agentId, place, options);
    const callId = `call_${randomUUID()}`;
    const open = toolbox.newCall({ callId, name: tool.name, arguments: input, position: 1 });
    return { agentId, place, toolbox, open };
  }

  readonly emit = (event: string): void => {
    this.told.push(JSON.parse(event) as Told);
  };

  /** As somebody outside decides it. */
  decide(id: string, verdict: Verdict): Promise<boolean> {
    const by = { kind: 'system', name: 'test' } as const;
    return this.approvals.decide({ id, organizationId: this.organizationId }, verdict, by);
  }

  /** Once the journal has caught up. */
  async messages({ conversationId }: CallPlace): Promise<MessageRecord[]> {
    await this.options.journal.caughtUp(this.organizationId);
    const { items } = await this.options.database.inOrganization(this.organizationId, (scope) =>
      listMessages(scope, conversationId, { offset: 0, limit: 100 }),
    );
    return items;
  }

  types(): string[] {
    return this.told.map(({ type }) => type);
  }

  last(): Record<string, unknown> {
    return this.told.at(-1)!.data;
  }
}

export const agentFields = {
  description: 'Knows numbers.',
  systemMessage: 'Be kind.',
  connectionId: null,
  model: null,
  textModel: null,
  voice: 'alloy',
  icon: 'star',
  iconColor: 'blue',
  imageUrl: null,
  realtimeEnabled: true,
};

/** How a call ended; null while it has not. */
export async function ended(
  advancing: OpenCall | Promise<OpenCall>,
): Promise<{ state: OpenCall['state']; outcome: CallOutcome | null }> {
  const call = await advancing;
  return { state: call.state, outcome: call.state === 'finished' ? call.outcome : null };
}

export const never = new AbortController().signal;

export const payTool = (
  url: string,
  more: Partial<Extract<Tool, { kind: 'http' }>> = {},
): Tool => ({
  kind: 'http',
  name: 'pay',
  description: 'Pays.',
  method: 'POST',
  url,
  parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  ...more,
});
