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
  this.timeout(600_000);
  let stage: Stage;
  let provider: RawProvider;
  let proxy: TcpProxy;
  let origin: string;
  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    const gateway = await stage.startGateway({ providerUrl: provider.url });
    proxy = await tcpProxy({ target: gateway.origin.replace('ws:', 'http:') });
    origin = `ws://127.0.0.1:${proxy.port}`;
    stage.onClose(() => provider.close());
    stage.onClose(() => proxy.stop());
  });
  after(() => stage.close());

  it(`is the same on both sides, byte for byte, after ${sessions * cutsPerSession} cuts`, async () => {
    for (let n = 0; n < sessions; n += 1) await converse();
  });

  async function converse(): Promise<void> {
    const { path } = await stage.issue({ resumable: true });
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      ResumingClient.ready(origin, path),
    ]);
    const opening = client.got.length;
    const heard: Message[] = [];
    peer.socket.on('message', (data, binary) => heard.push({ data: data as Buffer, binary }));
    const spoken = talk(peer, client);
    for (let n = 0; n < cutsPerSession; n += 1) {
      const more = heard.length + client.got.length + 1 + Math.floor(Math.random() * 60);
      await waitFor(() => heard.length + client.got.length >= more, { what: 'some talk' });
      kinds[Math.floor(Math.random() * kinds.length)]!(proxy);
      await client.resume();
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
