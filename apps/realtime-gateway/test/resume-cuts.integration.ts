import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { tcpProxy, waitFor, type TcpProxy } from '@parley/testkit';
import { startRawProvider, type ProviderPeer, type RawProvider } from './support/raw-provider.js';
import { ResumingClient, type Message } from './support/resuming-client.js';
import { Stage } from './support/stage.js';

const cutsPerSession = 10;
/** 40 cuts; a thousand with PROOF_SCALE=1. */
const sessions = Math.ceil(Number(process.env['PROOF_SCALE'] ?? 0.04) * 100);

/** A client that gives its connection up: for the gateway, it is cut off like this. */
const cuts = {
  reset: (proxy: TcpProxy) => proxy.cut(),
  end: (proxy: TcpProxy) => proxy.finish(),
  'black hole': (proxy: TcpProxy) => proxy.strand(),
} as const;
const kinds = Object.values(cuts);

const hashOf = (messages: readonly Message[]): string => {
  const hash = createHash('sha256');
  for (const { data, binary } of messages)
    hash.update(`${binary ? 'binary' : 'text'} ${data.length}\n`).update(data);
  return hash.digest('hex');
};

describe('a conversation whose connections are cut', function () {
  this.timeout(1_800_000);
  let stage: Stage;
  let provider: RawProvider;
  /** One per pod. */
  let networks: TcpProxy[];
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    const pods = [1, 2].map(() => stage.startGateway({ providerUrl: provider.url }));
    networks = await Promise.all(
      pods.map(async (pod) => tcpProxy({ target: (await pod).origin.replace('ws:', 'http:') })),
    );
    stage.onClose(() => provider.close());
    for (const network of networks) stage.onClose(() => network.stop());
  });
  after(() => stage.close());

  it(`is the same on both sides, byte for byte, after ${sessions * cutsPerSession} cuts`, async () => {
    for (let n = 0; n < sessions; n += 1) await converse(() => 0);
  });

  it(`is so, too, if its clients come back to either of two pods, after ${sessions * cutsPerSession} cuts`, async () => {
    for (let n = 0; n < sessions; n += 1) await converse((nth) => nth % 2);
  });

  async function converse(podFor: (resume: number) => number): Promise<void> {
    const originOf = (nth: number) => `ws://127.0.0.1:${networks[podFor(nth)]!.port}`;
    const { path } = await stage.issue({ resumable: true });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      ResumingClient.ready(originOf(0), path),
    ]);
    const opening = client.got.length;
    const heard: Message[] = [];
    peer.socket.on('message', (data, binary) => heard.push({ data: data as Buffer, binary }));
    const spoken = talk(peer, client);
    for (let n = 0; n < cutsPerSession; n += 1) {
      const more = heard.length + client.got.length + 1 + Math.floor(Math.random() * 60);
      await waitFor(() => heard.length + client.got.length >= more, { what: 'some talk' });
      kinds[Math.floor(Math.random() * kinds.length)]!(networks[podFor(n)]!);
      await client.resume({ origin: originOf(n + 1) });
    }
    const said = spoken.stop();
    await waitFor(() => client.got.length >= opening + said.length, { what: 'the agent' });
    await waitFor(() => heard.length >= client.said.length, { what: 'the user' });
    expect(hashOf(client.got.slice(opening))).to.equal(hashOf(said));
    expect(hashOf(heard)).to.equal(hashOf(client.said));
    expect(client.resumes).to.equal(cutsPerSession);
    expect(client.refusals).to.deep.equal([]);
    await client.leave();
  }
});

/** Both sides talk at the same time, in numbered frames of all sizes and both kinds. */
function talk(peer: ProviderPeer, client: ResumingClient): { stop(): Message[] } {
  const said: Message[] = [];
  let n = 0;
  const timer = setInterval(() => {
    n += 1;
    const size = Math.floor(Math.random() ** 4 * 30_000);
    const filler = 'A'.repeat(size);
    const binary = n % 5 === 0;
    const answer = binary
      ? Buffer.from(`${n} ${filler}`)
      : Buffer.from(`{"type":"response.output_audio.delta","n":${n},"delta":"${filler}"}`);
    said.push({ data: answer, binary });
    peer.socket.send(answer, { binary });
    if (binary) client.say(Buffer.from(`${n} ${filler}`), true);
    else client.say(`{"type":"input_audio_buffer.append","n":${n},"audio":"${filler}"}`);
  }, 1);
  return {
    stop() {
      clearInterval(timer);
      return said;
    },
  };
}
