import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runNode, waitFor } from '@parley/testkit';
import { GatewayProcess } from './support/gateway-process.js';
import { Stage } from './support/stage.js';
import { Talker } from './support/talker.js';
import { toolsAt } from './support/tool-scene.js';
import { ToolServer } from './support/tool-server.js';

const simulatorProgram = fileURLToPath(new URL('fixtures/brisk-simulator.js', import.meta.url));

/** Whole with PROOF_SCALE=1, which `npm run proofs` sets. */
const whole = process.env['PROOF_SCALE'] === '1';
const kills = whole ? 10 : 2;
const cutAtOnce = whole ? 100 : 5;
const rolled = whole ? 100 : 10;

describe('conversations whose gateways are killed and replaced', function () {
  this.timeout(1_800_000);
  let stage: Stage;
  let server: ToolServer;
  let provider: { readonly url: string };
  let gateways: GatewayProcess[] = [];
  before(async () => {
    server = await ToolServer.start();
    stage = await Stage.open(toolsAt(server.origin).slice(0, -1));
    stage.onClose(() => server.close());
    const simulator = runNode([simulatorProgram]);
    stage.onClose(() => simulator.stop());
    provider = { url: await simulator.line(/^http/) };
  });
  beforeEach(() => void (server.requests.length = 0));
  afterEach(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    gateways = [];
  });
  after(() => stage.close());

  const startGateway = async (): Promise<GatewayProcess> => {
    const gateway = await GatewayProcess.onStage(stage, provider, {
      TOOL_EGRESS_ALLOW: '127.0.0.1',
      QUOTA_REALTIME_SESSIONS: '1000',
      DRAIN_LAG_SECONDS: '1',
      DRAIN_TIMEOUT_SECONDS: whole ? '20' : '2',
      // However slow the machine is: what is proven is that nothing is lost, not how soon.
      REALTIME_IDLE_TIMEOUT_SECONDS: '600',
      REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: '60',
      LOG_LEVEL: 'info',
    });
    gateways.push(gateway);
    return gateway;
  };
  /** As a load balancer distributes its connections. */
  const balanced = (among: () => readonly GatewayProcess[]): (() => string) => {
    let nth = 0;
    return () => {
      nth += 1;
      const [first, ...others] = among();
      return [first!, ...others][nth % among().length]!.origin;
    };
  };
  const openAll = (count: number, origin: () => string): Promise<Talker[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) => Talker.start(`Talker ${n}`, stage, origin)),
    );
  /** Waits until it holds for each of them; if it never does, tells about the others. */
  const untilAll = (
    talkers: readonly Talker[],
    holds: (talker: Talker, at: number) => boolean,
    what: string,
  ): Promise<unknown> =>
    waitFor(() => talkers.every(holds), {
      what,
      timeoutMs: 600_000,
      otherwise: () =>
        [
          ...talkers.filter((talker, at) => !holds(talker, at)).map(({ state }) => state),
          ...gateways.map(complaintsOf),
        ].join('\n'),
    });
  /** What a gateway has warned of, and how often. */
  const complaintsOf = ({ output }: GatewayProcess): string => {
    const counts: Record<string, number> = {};
    for (const [, said = ''] of output.matchAll(/^\{"level":"(?:warn|error)".*"msg":"([^"]*)"/gm))
      counts[said] = (counts[said] ?? 0) + 1;
    return JSON.stringify(counts);
  };
  /** Talks until told to stop, at the end of a turn; not as fast as it can, but as people do. */
  const talkUntil = async (talker: Talker, isOver: () => boolean): Promise<void> => {
    for (let n = 0; !isOver(); n += 1) {
      await (n % 3 === 2 ? talker.call() : talker.say());
      await delay(200);
    }
  };
  const ranTwice = (): unknown[] => {
    const cities = server.calls('/weather').map(({ body }) => (body as { city: string }).city);
    return cities.filter((city, n) => cities.indexOf(city) !== n);
  };
  const finish = async (talkers: readonly Talker[]): Promise<void> => {
    for (const talker of talkers) {
      await talker.check();
      for (const city of talker.ran)
        expect(
          server.calls('/weather').filter(({ body }) => (body as Data).city === city),
        ).to.have.length(1);
    }
    expect(ranTwice()).to.be.empty;
    await Promise.all(talkers.map((talker) => talker.leave()));
  };
  type Data = { city: string };

  it(`go on after ${kills * cutAtOnce} cuts by SIGKILL: each turn once, no tool twice`, async () => {
    let current = await startGateway();
    const talkers = await openAll(cutAtOnce, () => current.origin);
    let isOver = false;
    const talking = Promise.all(talkers.map((talker) => talkUntil(talker, () => isOver)));
    for (let n = 1; n <= kills; n += 1) {
      const next = await startGateway();
      const turns = talkers.map((talker) => talker.turns);
      await untilAll(talkers, (talker, at) => talker.turns > turns[at]!, 'everybody to talk');
      const doomed = current;
      current = next;
      await doomed.stop('SIGKILL');
      await untilAll(talkers, ({ restores }) => restores === n, 'everybody to be back');
    }
    isOver = true;
    await talking;
    const cuts = talkers.reduce((sum, { restores }) => sum + restores, 0);
    expect(cuts).to.equal(kills * cutAtOnce);
    await finish(talkers);
  });

  it(`all finish their script in a rolling restart of three gateways, ${rolled} of ${rolled}`, async () => {
    let inService = await Promise.all([1, 2, 3].map(startGateway));
    const talkers = await openAll(
      rolled,
      balanced(() => inService),
    );
    const asked = await Promise.all(talkers.map((talker) => talker.ask()));
    let isOver = false;
    const talking = Promise.all(talkers.map((talker) => talkUntil(talker, () => isOver)));
    for (const leaving of inService) {
      const next = await startGateway();
      inService = [...inService.filter((gateway) => gateway !== leaving), next];
      expect(await leaving.stop('SIGTERM')).to.equal(0);
    }
    const turns = talkers.map((talker) => talker.turns);
    await untilAll(talkers, (talker, at) => talker.turns > turns[at]!, 'everybody to talk on');
    for (const [n, { callId, messageId }] of asked.entries())
      if (n % 2 === 0) await stage.decide(String(messageId), 'approved');
      else talkers[n]!.client.say(JSON.stringify({ type: 'approval.approve', callId }));
    await waitFor(() => server.calls('/paid').length >= rolled, {
      what: 'all approved calls to run',
      timeoutMs: 600_000,
    });
    isOver = true;
    await talking;
    expect(server.calls('/paid')).to.have.length(rolled);
    expect(talkers.every(({ restores }) => restores > 0)).to.equal(true);
    await finish(talkers);
    const states = await stage.stores.database.asSystem(({ trx }) =>
      trx
        .selectFrom('toolCalls')
        .select(['approval', 'status'])
        .where('name', '=', 'pay')
        .groupBy(['approval', 'status'])
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .execute(),
    );
    expect(states.map(({ approval, status, count }) => [approval, status, count])).to.deep.equal([
      ['approved', 1, rolled],
    ]);
  });
});
