import { expect } from 'chai';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { GatewayProcess } from './support/gateway-process.js';
import { Conversation } from './support/record.js';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const lanes = 4;
/** A hundred in all with PROOF_SCALE=1, which `npm run proofs` sets. */
const kills = Number(process.env['PROOF_SCALE'] ?? 0.08) * 25;

describe('a gateway that is killed right after message.created', function () {
  this.timeout(240_000);
  let stage: Stage;
  let simulator: Simulator;
  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator({ settings: { thinkMs: 1000 } });
    stage.onClose(() => simulator.close());
  });
  after(() => stage.close());

  it(`has the message in the record, ${lanes * kills} times of ${lanes * kills}`, async () => {
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let n = 0; n < kills; n += 1) await announceAndDie();
      }),
    );
  });

  async function announceAndDie(): Promise<void> {
    const gateway = await GatewayProcess.onStage(stage, simulator);
    const conversation = await Conversation.start(stage);
    const { path } = await stage.issue({ conversationId: conversation.id });
    const client = await TestClient.ready(gateway.origin + path);
    client.socket.on('message', (data: Buffer) => {
      if (data.includes('"message.created"')) void gateway.stop();
    });
    client.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi.' }] },
    });
    await gateway.exited;
    const created = await client.event('message.created');
    const rows = await conversation.messages();
    expect(rows.map(({ id, content }) => ({ id, content }))).to.deep.equal([
      { id: (created['data'] as { id: string }).id, content: 'Hi.' },
    ]);
    const [session] = await conversation.rows<{ ended_at: Date | null }>(
      'select ended_at from realtime_sessions where conversation_id = $1',
    );
    expect(session).to.deep.equal({ ended_at: null });
  }
});
