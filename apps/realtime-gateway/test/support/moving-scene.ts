import { expect } from 'chai';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { waitFor } from '@parley/testkit';
import { GatewayProcess } from './gateway-process.js';
import { Conversation } from './record.js';
import { ResumingClient } from './resuming-client.js';
import { Stage, type RunningGateway } from './stage.js';
import type { Event } from './test-client.js';
import { toolsAt, type Data } from './tool-scene.js';
import { ToolServer } from './tool-server.js';

type CallRow = {
  id: string;
  session_id: string;
  approval: string | null;
  deadline: Date | null;
  owner: string | null;
  status: number;
  result: unknown;
  suspended: unknown;
};

/** A resumable session of an agent with tools, which moves from one gateway to another. */
export class MovingScene {
  readonly stage: Stage;
  readonly server: ToolServer;
  /** Where sessions move to. */
  survivor!: RunningGateway;
  readonly #simulator: Simulator;
  client!: ResumingClient;
  conversation!: Conversation;
  #past = 0;

  private constructor(parts: Pick<MovingScene, 'stage' | 'server'>, simulator: Simulator) {
    ({ stage: this.stage, server: this.server } = parts);
    this.#simulator = simulator;
  }

  static async open(): Promise<MovingScene> {
    const server = await ToolServer.start();
    const stage = await Stage.open(toolsAt(server.origin));
    stage.onClose(() => server.close());
    const simulator = await startSimulator({
      settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 },
    });
    stage.onClose(() => simulator.close());
    const scene = new MovingScene({ stage, server }, simulator);
    scene.survivor = await scene.startPod();
    return scene;
  }

  startPod(): Promise<RunningGateway> {
    const SECRETS_KEY = this.stage.stores.secretsKey;
    const provider = { providerUrl: this.#simulator.url, providerKey: 'sk-test' };
    return this.stage.startGateway({ ...provider, settings: { SECRETS_KEY } });
  }

  startProcess(env: Record<string, string> = {}): Promise<GatewayProcess> {
    const allowed = { TOOL_EGRESS_ALLOW: '127.0.0.1', ...env };
    return GatewayProcess.onStage(this.stage, this.#simulator, allowed);
  }

  /** A fresh conversation, and its client at this gateway. */
  async begin(
    { origin }: { readonly origin: string },
    agentId = this.stage.stores.agentId,
  ): Promise<void> {
    this.server.requests.length = 0;
    this.conversation = await Conversation.start(this.stage, agentId);
    const { id: conversationId } = this.conversation;
    const { path } = await this.stage.issue({ agentId, conversationId, resumable: true });
    this.client = await ResumingClient.ready(origin, path);
  }

  /** An agent that asks another one, which asks a third, whose tools these are. */
  async agentOfAgents(): Promise<string> {
    const asking = (agentId: string) =>
      this.stage.addAgent([{ kind: 'subagent', name: 'expert', description: 'Knows.', agentId }]);
    return asking(await asking(await this.stage.addAgent(toolsAt(this.server.origin))));
  }

  /** Its call that waits for approval, two agents deep. */
  async waitInside(): Promise<Data> {
    const ask = (question: string) => `!call expert ${JSON.stringify({ question })}`;
    this.say(ask(ask('!call pay {"amount":5}')));
    return (await this.client.event('approval.waiting'))['data'] as Data;
  }

  say(text: string): void {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
    this.client.say(JSON.stringify({ type: 'conversation.item.create', item }));
    this.client.say('{"type":"response.create"}');
  }

  /** A call that waits for approval. */
  async wait(): Promise<Data> {
    this.say('!call pay {"amount":5}');
    return (await this.client.event('approval.waiting'))['data'] as Data;
  }

  /** The client comes back to the survivor, which continues from the record. */
  async move({ keepOld = false } = {}): Promise<void> {
    this.#past = this.client.events.length;
    await this.client.resume({ origin: this.survivor.origin, keepOld });
    expect(this.client.refusals).to.be.empty;
    expect(this.client.asides.map(({ data }) => data)).to.deep.include({
      ...{ received: 0, restored: 'history' },
    });
  }

  async drain(leaving: RunningGateway): Promise<void> {
    const drained = leaving.gateway.drain();
    await this.client.aside('session.moving');
    await this.move();
    await drained;
  }

  /** What came since the client is back. */
  get later(): Event[] {
    return this.client.events.slice(this.#past);
  }

  /** Those about calls. */
  get told(): string[] {
    const types = this.later.map(({ type }) => type);
    return types.filter((type) => /^(response\.function_inv|approval|subagent)/.test(type));
  }

  again(type: string): Promise<Event> {
    return waitFor(() => this.later.find((event) => event.type === type), { what: type });
  }

  async said(pattern: RegExp): Promise<void> {
    const isIt = ({ type, transcript }: Event) =>
      type === 'response.output_audio_transcript.done' && pattern.test(String(transcript));
    await waitFor(() => this.later.some(isIt), { what: `the words ${pattern.source}` });
  }

  calls(): Promise<CallRow[]> {
    return this.conversation.rows(
      'select * from tool_calls where conversation_id = $1 order by created_at',
    );
  }

  /** As the api does. */
  decide(messageId: unknown, decision: 'approved' | 'rejected'): Promise<void> {
    return this.stage.decide(String(messageId), decision);
  }

  /** The model was told the result, which is on the record, of one call that ran once. */
  async paidOnce(): Promise<void> {
    await this.said(/pay returned/);
    expect(this.server.calls('/paid')).to.have.length(1);
    await waitFor(async () => (await this.calls())[0]?.status === 1, { what: 'the outcome' });
    expect(await this.calls()).to.have.length(1);
  }
}
