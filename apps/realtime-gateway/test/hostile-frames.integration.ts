import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { frame, RawClient } from './support/raw-client.js';
import { startRawProvider, type ProviderPeer, type RawProvider } from './support/raw-provider.js';
import { Stage, type RunningGateway } from './support/stage.js';
import { TestClient } from './support/test-client.js';

const text = (content: string) => Buffer.from(content);
const event = text('{"type":"x"}');
const badUtf8 = Buffer.from([0xc3, 0x28]);
const closeFrame = (payload: number[]) => frame(Buffer.from(payload), { opcode: 8 });

describe('hostile frames', () => {
  let stage: Stage;
  let provider: RawProvider;
  let running: RunningGateway;
  let control: { client: TestClient; peer: ProviderPeer; beats: number; stop: () => void };

  before(async () => {
    stage = await Stage.open();
    provider = await startRawProvider();
    stage.onClose(() => provider.close());
    running = await stage.startGateway({ providerUrl: provider.url });
    control = await startControl();
  });
  after(async () => {
    control.stop();
    await stage.close();
  });
  afterEach('the neighbour goes on', async () => {
    const { beats } = control;
    await waitFor(() => control.beats > beats + 1, { what: 'the control session' });
  });

  const corpus: [what: string, bytes: Buffer, code: number][] = [
    ['an unknown data opcode', frame(event, { opcode: 3 }), 1002],
    ['an unknown control opcode', frame(event, { opcode: 11 }), 1002],
    ['RSV1 without an extension', frame(event, { reserved: 0x40 }), 1002],
    ['RSV2', frame(event, { reserved: 0x20 }), 1002],
    ['a frame without a mask', frame(event, { masked: false }), 1002],
    ['a ping of 126 bytes', frame(Buffer.alloc(126), { opcode: 9 }), 1002],
    ['a fragmented ping', frame(event, { opcode: 9, fin: false }), 1002],
    ['a continuation of nothing', frame(event, { opcode: 0 }), 1002],
    ['a message inside another', Buffer.concat([frame(event, { fin: false }), frame(event)]), 1002],
    ['close code 999', closeFrame([0x03, 0xe7]), 1002],
    ['close code 1005', closeFrame([0x03, 0xed]), 1002],
    ['a close frame of one byte', closeFrame([0x03]), 1002],
    ['text that is no UTF-8', frame(badUtf8), 1007],
    ['a close reason that is no UTF-8', closeFrame([0x03, 0xe8, ...badUtf8]), 1007],
    ['65,537 bytes', frame(Buffer.alloc(65_537), { opcode: 2 }), 1009],
    ['a claim of 2^52 bytes', frame(event, { declared: 2n ** 52n }), 1009],
    ['a claim of 2^63 bytes', frame(event, { declared: 2n ** 63n }), 1009],
    [
      '257 fragments',
      Buffer.concat([
        frame(event, { fin: false }),
        ...Array.from({ length: 256 }, () => frame(event, { opcode: 0, fin: false })),
      ]),
      1008,
    ],
  ];
  for (const [what, bytes, code] of corpus)
    it(`are closed with ${code}: ${what}`, async () => {
      const client = await RawClient.ready(running.origin + (await stage.issue()).path);
      const gone = once(client.socket, 'close');
      client.socket.write(bytes);
      expect(await client.closeCode()).to.equal(code);
      client.socket.end();
      await gone;
    });

  const harmless: [what: string, frame: string, answer: string][] = [
    ['no JSON', 'hello', 'EventMalformed'],
    ['null', 'null', 'EventMalformed'],
    ['a number', '7', 'EventMalformed'],
    ['an array', '[]', 'EventMalformed'],
    ['a type that is a number', '{"type":7}', 'EventMalformed'],
    ['two types', '{"type":"response.create","type":"session.update"}', 'EventMalformed'],
    ['a response with 30,000 levels', deep('response.create', 30_000), 'EventMalformed'],
    ['a prototype', '{"type":"response.create","__proto__":{"a":1}}', 'EventMalformed'],
    ['words of the system', item({ type: 'message', role: 'system' }), 'ItemNotAllowed'],
    ['words of a developer', item({ type: 'message', role: 'Developer ' }), 'ItemNotAllowed'],
    ['a call of a function', item({ type: 'function_call', name: 'pay' }), 'ItemNotAllowed'],
    ['a call of an MCP server', item({ type: 'mcp_call', name: 'pay' }), 'ItemNotAllowed'],
    ['an id of ours', item({ id: 'gw_output_1', type: 'message' }), 'ItemNotAllowed'],
    [
      'an answer to a call that nobody made',
      item({ type: 'function_call_output', call_id: 'call_1', output: 'yes' }),
      'FunctionOutputNotAllowed',
    ],
    ['an unknown type', '{"type":"x.unknown"}', 'forwarded'],
    ['a type named like a property', '{"type":"__proto__"}', 'forwarded'],
    ['30,000 levels', deep('x.unknown', 30_000), 'forwarded'],
    ['60 KB of escapes', `{"type":"x","y":"${'\\\\'.repeat(30_000)}"}`, 'forwarded'],
    ['base64 that is none', '{"type":"input_audio_buffer.append","audio":"!"}', 'forwarded'],
  ];
  for (const [what, content, answer] of harmless)
    it(`leave the session open: ${what} is ${answer}`, async () => {
      const [peer, client] = await Promise.all([
        provider.nextSession(),
        TestClient.ready(running.origin + (await stage.issue()).path),
      ]);
      const next = once(peer.socket, 'message');
      client.send(content);
      if (answer === 'forwarded') expect(String((await next)[0])).to.equal(content);
      else expect((await client.event('error'))['error']).to.have.property('code', answer);
      client.send('{"type":"response.cancel"}');
      await client.leave();
    });

  for (const type of ['response.done', 'response.output_text.done', 'conversation.item.added'])
    it(`of the provider are forwarded unread when they are long: ${type}`, async () => {
      const [peer, client] = await Promise.all([
        provider.nextSession(),
        TestClient.ready(running.origin + (await stage.issue()).path),
      ]);
      const content = deep(type, 4_000_000);
      const next = once(client.socket, 'message');
      peer.socket.send(content);
      expect(String((await next)[0]) === content).to.equal(true);
      await client.leave();
    });

  describe('in floods, from a client that does not read', () => {
    const million = 1_000_000;

    it('are not answered with pongs that pile up', async () => {
      const client = await RawClient.ready(running.origin + (await stage.issue()).path);
      client.socket.pause();
      const ping = frame(Buffer.alloc(125), { opcode: 9 });
      const all = { bytes: ping, total: 30 * million, patienceMs: 60_000 };
      expect(await flood(client, all)).to.equal(30 * million);
      client.socket.resume();
      client.socket.write(frame(Buffer.from('x')));
      const refused = () => client.frames().at(-1)?.payload.includes('EventMalformed');
      await waitFor(refused, { what: 'the answer after all pongs' });
      expect(client.socket.bytesRead).to.be.lessThan(15 * million);
      client.socket.destroy();
    });

    it('are not read any more when they are refused', async () => {
      const client = await RawClient.ready(running.origin + (await stage.issue()).path);
      client.socket.pause();
      const nonsense = frame(Buffer.from('x'));
      const all = { bytes: nonsense, total: 30 * million, patienceMs: 2000 };
      const sent = await flood(client, all);
      expect(sent).to.be.lessThan(15 * million);
      const read = /bytes_total\{from="client",route="malformed",app="test"\} (\d+)/.exec(
        await running.metrics(),
      );
      expect(Number(read?.[1])).to.be.lessThan(100_000);
      client.socket.destroy();
    });

    /** Repeats a frame until it was written `total` bytes, or until nobody takes them; how many were taken. */
    async function flood(
      { socket }: RawClient,
      { bytes, total, patienceMs }: { bytes: Buffer; total: number; patienceMs: number },
    ): Promise<number> {
      const times = Math.floor(60_000 / bytes.length);
      const chunk = Buffer.concat(Array.from({ length: times }, () => bytes));
      for (let sent = 0; sent < total; sent += chunk.length) {
        const written = new Promise((resolve) => socket.write(chunk, resolve));
        const stuck = delay(patienceMs, 'stuck', { ref: false });
        if ((await Promise.race([written, stuck])) === 'stuck') return sent;
      }
      return total;
    }
  });

  it('and handshakes in pieces or garbage leave no session behind', async () => {
    const { port } = new URL(running.origin);
    const pieces = [
      '',
      'GET',
      'GET / HTTP/1.1\r\nUpgrade: websocket\r\n',
      '\0\x01\x02',
      '\r\n\r\n',
    ];
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const socket = connect(Number(port), '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        const gone = once(socket, 'close');
        socket.write(pieces[n % pieces.length]!, () => socket.resetAndDestroy());
        await gone;
      }),
    );
    await waitFor(() => running.gateway.activeSessions === 1, { what: 'only the control session' });
    expect(control.client.socket.readyState).to.equal(control.client.socket.OPEN);
  });

  /** A session of another organization that streams both ways throughout. */
  async function startControl(): Promise<typeof control> {
    const { path } = await stage.issue(await stage.neighbour());
    const [peer, client] = await Promise.all([
      provider.nextSession(),
      TestClient.ready(running.origin + path),
    ]);
    const beat = setInterval(() => client.send('{"type":"input_audio_buffer.append"}'), 10);
    peer.socket.on('message', (data) => peer.socket.send(data as Buffer, { binary: false }));
    const neighbour = { client, peer, beats: 0, stop: () => clearInterval(beat) };
    client.socket.on('message', () => (neighbour.beats += 1));
    return neighbour;
  }
});

function item(fields: object): string {
  return JSON.stringify({ type: 'conversation.item.create', item: fields });
}

function deep(type: string, levels: number): string {
  return `{"type":"${type}","x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
}
