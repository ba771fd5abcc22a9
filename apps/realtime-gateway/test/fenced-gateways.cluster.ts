import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { tcpProxy, waitFor, type TcpProxy } from '@parley/testkit';
import type { GatewayProcess } from './support/gateway-process.js';
import { MovingScene } from './support/moving-scene.js';

/** Whole with PROOF_SCALE=1, which `npm run proofs` sets. */
const whole = process.env['PROOF_SCALE'] === '1';
const rounds = whole ? 5 : 1;
/** Longer than a gateway may be silent before its sessions are no longer listed. */
const frozenMs = whole ? 60_000 : 16_000;

type Fault = { readonly begin: () => void; readonly end: () => void };

/** What a client is told of what is on the record, or has run. */
const told = /"(message\.created|response\.id|approval\.approved|response\.completed)"/;

describe('a gateway that has lost a session without knowing it', function () {
  this.timeout(900_000);
  let scene: MovingScene;
  let victim: GatewayProcess;
  let redis: TcpProxy;
  let postgres: TcpProxy;
  before(async () => {
    scene = await MovingScene.open();
    redis = await tcpProxy({ target: scene.stage.stores.redisUrl });
    postgres = await tcpProxy({ target: scene.stage.stores.databaseUrl });
    for (const proxy of [redis, postgres]) scene.stage.onClose(() => proxy.stop());
  });
  after(() => scene.stage.close());
  afterEach(async () => {
    for (const proxy of [redis, postgres]) proxy.heal();
    await victim.stop();
  });

  const cutOff = (...proxies: TcpProxy[]): Fault => ({
    begin: () => proxies.forEach((proxy) => proxy.blackHole()),
    end: () => proxies.forEach((proxy) => proxy.heal()),
  });
  const faults: Record<string, () => Fault> = {
    'cut off from Redis': () => cutOff(redis),
    'cut off from PostgreSQL': () => cutOff(postgres),
    'cut off from both': () => cutOff(redis, postgres),
    frozen: () => ({ begin: () => victim.freeze(), end: () => victim.thaw() }),
  };

  for (const [name, fault] of Object.entries(faults))
    it(`because it was ${name}, says and does nothing more in it, ${rounds} of ${rounds} times`, async () => {
      for (let round = 0; round < rounds; round += 1) await loseOne(name, fault());
    });

  async function loseOne(name: string, fault: Fault): Promise<void> {
    victim = await scene.startProcess({
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      // Nobody listens there: other gateways cannot reach this one.
      ...(name === 'frozen' ? {} : { INTERNAL_HOST: '127.0.0.2' }),
    });
    await scene.begin(victim);
    scene.say('!say One.');
    await scene.client.event('response.completed');
    const { messageId } = await scene.wait();
    fault.begin();
    const former = scene.client.socket;
    await scene.move({ keepOld: true });
    const heard: string[] = [];
    former.on('message', (data: Buffer) => heard.push(data.toString()));
    await scene.again('approval.waiting');
    // Somebody still talks to the former gateway.
    for (const text of ['!call weather {"city":"Nowhere"}', '!say Nothing.']) {
      const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
      former.send(JSON.stringify({ type: 'conversation.item.create', item }));
      former.send('{"type":"response.create"}');
    }
    await scene.decide(messageId, 'approved');
    await scene.paidOnce();
    scene.say('!say Two.');
    await scene.said(/^Two/);
    if (name === 'frozen') await delay(frozenMs);
    fault.end();
    await waitFor(() => victim.output.includes('"msg":"session ended"'), {
      what: 'the former gateway to notice',
      timeoutMs: 120_000,
    });
    expect(await victim.stop('SIGTERM')).to.equal(0);
    expect(scene.server.calls('/weather')).to.be.empty;
    expect(scene.server.calls('/paid')).to.have.length(1);
    expect(heard.filter((message) => told.test(message))).to.be.empty;
    const record = await scene.conversation.said(7);
    expect(record).to.deep.equal([
      ...['user: !say One.', 'assistant: One.', 'user: !call pay {"amount":5}'],
      ...[
        'tool: Paid.',
        'assistant: Here is what pay returned: Paid.',
        'user: !say Two.',
        'assistant: Two.',
      ],
    ]);
    await scene.client.leave();
  }
});
