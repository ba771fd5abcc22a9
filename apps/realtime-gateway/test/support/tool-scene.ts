import { startSimulator, type Simulator, type SimulatorSettings } from '@parley/provider-simulator';
import { Conversation } from './record.js';
import { Stage, type RunningGateway, type StartOptions } from './stage.js';
import { TestClient, type Event } from './test-client.js';
import { ToolServer } from './tool-server.js';

export const start = 'response.function_invocation.start';
export const done = 'response.function_invocation.done';

export type Data = Record<string, unknown> & { callId: string };
type CallRow = { status: number; approval: string | null; name: string; result: unknown };

/** A session of an agent with tools: everything that is said goes through the simulator, and every tool is real. */
export class ToolScene {
  readonly stage: Stage;
  readonly server: ToolServer;
  readonly running: RunningGateway;
  readonly #simulator: Simulator;
  conversation!: Conversation;
  client!: TestClient;

  private constructor(
    parts: Pick<ToolScene, 'stage' | 'server' | 'running'>,
    simulator: Simulator,
  ) {
    ({ stage: this.stage, server: this.server, running: this.running } = parts);
    this.#simulator = simulator;
  }

  static async open(paces: Partial<SimulatorSettings> = {}): Promise<ToolScene> {
    const server = await ToolServer.start();
    const stage = await Stage.open(toolsAt(server.origin));
    stage.onClose(() => server.close());
    const simulator = await startSimulator({
      settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000, ...paces },
    });
    stage.onClose(() => simulator.close());
    const running = await stage.startGateway(at(simulator));
    return new ToolScene({ stage, server, running }, simulator);
  }

  /** A fresh conversation, and a client in it. */
  async begin(): Promise<void> {
    this.server.requests.length = 0;
    this.server.abandoned = 0;
    this.conversation = await Conversation.start(this.stage);
    await this.enter();
  }

  async enter(ticket: object = {}, gateway = this.running): Promise<void> {
    const { path } = await this.stage.issue({ conversationId: this.conversation.id, ...ticket });
    this.client = await TestClient.ready(gateway.origin + path);
  }

  /** The client comes back through a gateway with other settings. */
  async reenter(settings: Required<StartOptions>['settings'], ticket: object = {}): Promise<void> {
    await this.client.leave();
    await this.enter(ticket, await this.stage.startGateway({ ...at(this.#simulator), settings }));
  }

  say(text: string): void {
    this.client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
    });
    this.client.send({ type: 'response.create' });
  }

  /** Resolves when the model has said so. */
  async said(pattern: RegExp): Promise<void> {
    const isIt = (event: Event) => pattern.test(transcriptOf(event));
    await this.client.where(isIt, `the words ${pattern.source}`);
  }

  async dataOf(type: string): Promise<Data> {
    return (await this.client.event(type))['data'] as Data;
  }

  get names(): string[] {
    return this.client.events.map(({ type }) => type);
  }

  /** The custom events about calls, in order. */
  get told(): string[] {
    return this.names.filter((name) => /^(response\.function_inv|approval|suba)/.test(name));
  }

  /** Once the journal has caught up. */
  async calls(): Promise<CallRow[]> {
    const { records, organizationId } = this.stage.stores;
    await records.journal.caughtUp(organizationId);
    return this.conversation.rows(
      'select * from tool_calls where conversation_id = $1 order by created_at',
    );
  }
}

function at(simulator: Simulator): StartOptions {
  return { providerUrl: simulator.url, providerKey: 'sk-test' };
}

export function toolsAt(origin: string): unknown[] {
  const http = { kind: 'http', description: 'A tool.', method: 'GET' };
  const parameters = {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  };
  return [
    {
      ...http,
      name: 'weather',
      url: `${origin}/weather`,
      parameters,
      title: 'Looking up',
      imageUrl: 'https://example.com/sun.png',
      button: { label: 'Map', link: 'https://example.com' },
    },
    { ...http, name: 'broken', url: `${origin}/broken` },
    { ...http, name: 'slow', url: `${origin}/slow` },
    {
      ...{ ...http, name: 'pay', url: `${origin}/paid`, method: 'POST', approvalRequired: true },
      parameters: { type: 'object', properties: { amount: { type: 'number' } } },
    },
    {
      ...{ ...http, name: 'refund', url: `${origin}/paid`, method: 'POST' },
      ...{ approvalRequired: true, approvers: ['api'] },
    },
    { kind: 'mcp', name: 'things', serverUrl: `${origin}/mcp` },
  ];
}

function transcriptOf(event: Event): string {
  return event.type === 'response.output_audio_transcript.done' ? String(event['transcript']) : '';
}
