import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import type { WebSocket } from 'ws';
import { Splice } from '#src/relay/splice.js';
import { frame, type FrameOptions } from '../support/raw-client.js';
import { atClient, atServer, Wire } from '../support/wire.js';
import { directions, type Direction } from './directions.js';

const limits = { maxPayload: 300, maxFragments: 4 };

/** What one side does: bytes arrive, or the session holds it back. */
type Act = Buffer | 'pause' | 'resume';

const key = fc.uint8Array({ minLength: 4, maxLength: 4 });
const bytes = fc.uint8Array({ maxLength: 40 }).map((body) => Buffer.from(body));
const closeBodies = ['03e8', '03e86279', '', '03', '03e7', '03e8c328'];

/** Frames of all kinds, each as the pieces that it may be cut into. */
function framesOf({ masked, type }: Direction): fc.Arbitrary<Buffer[]> {
  const event = (audio: string) => Buffer.from(`{"type":"${type}","audio":"${audio}"}`);
  const encode = (body: Buffer, options: FrameOptions) => frame(body, { masked, ...options });
  const audio = fc.string({ unit: fc.constantFrom('A', '+', '/', '='), maxLength: 250 });
  const passing = audio.map(event);
  const payload = fc.oneof(
    passing,
    fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((text) => event(JSON.stringify(text).slice(1, -1))),
    fc
      .constantFrom('session.update', 'session.updated', 'x')
      .map((name) => Buffer.from(`{"type":"${name}"}`)),
    fc.constantFrom('', 'hello', '{"type":"x","type":"y"}').map((text) => Buffer.from(text)),
    fc.constant(Buffer.from(`{"type":"${type}","audio":"\xc3("}`, 'latin1')),
    fc.constant(event('A'.repeat(limits.maxPayload))),
    bytes,
  );
  const whole = (body: fc.Arbitrary<Buffer>, options: FrameOptions = {}) =>
    fc.tuple(body, key).map(([content, key]) => [encode(content, { key, ...options })]);
  const control = fc.constantFrom(9, 10).chain((opcode) => whole(bytes, { opcode }));
  const inParts = fc
    .tuple(payload, fc.array(fc.nat(250), { minLength: 1, maxLength: 4 }), fc.option(control), key)
    .map(([body, cuts, between, key]) => {
      const parts = cutAt(body, cuts);
      return parts.flatMap((part, n) => [
        encode(part, { key, opcode: n === 0 ? 1 : 0, fin: n === parts.length - 1 }),
        ...(between && n === 0 ? between : []),
      ]);
    });
  /** A frame that looks like another inside. */
  const nested = whole(passing).map(([inner = Buffer.alloc(0)]) => {
    const outer = encode(inner, { opcode: 2 });
    return [outer.subarray(0, outer.length - inner.length), inner];
  });
  const faults: FrameOptions[] = [
    ...[0, 3, 11].map((opcode) => ({ opcode })),
    ...[0x10, 0x20, 0x40].map((reserved) => ({ reserved })),
    ...[{ fin: false }, { fin: false, opcode: 9 }, { masked: !masked }],
    ...[2n ** 16n, 2n ** 52n, 2n ** 63n].map((declared) => ({ declared })),
  ];
  return fc.oneof(
    { weight: 20, arbitrary: whole(passing) },
    { weight: 6, arbitrary: whole(payload) },
    { weight: 3, arbitrary: inParts },
    { weight: 2, arbitrary: nested },
    ...[whole(payload, { opcode: 2 }), whole(payload, { roomy: true }), control],
    fc.constantFrom(...faults).map((fault) => [encode(event('A'), fault)]),
    fc.constantFrom(...closeBodies).map((hex) => [encode(Buffer.from(hex, 'hex'), { opcode: 8 })]),
  );
}

/** Frames in chunks that end with a piece, or anywhere, and pauses between them. */
function actsOf(direction: Direction): fc.Arbitrary<Act[]> {
  const cut = fc.record({
    kind: fc.constantFrom('join', 'join', 'end', 'end', 'inside', 'pause', 'resume'),
    at: fc.nat(400),
  });
  return fc
    .array(framesOf(direction), { minLength: 1, maxLength: 12 })
    .map((frames) => frames.flat())
    .chain((pieces) =>
      fc.array(cut, { minLength: pieces.length, maxLength: pieces.length }).map((cuts) => {
        const acts: Act[] = [];
        let chunk = Buffer.alloc(0);
        for (const [n, { kind, at }] of cuts.entries()) {
          chunk = Buffer.concat([chunk, pieces[n]!]);
          if (kind === 'join') continue;
          acts.push(...(kind === 'inside' ? cutAt(chunk, [at]) : [chunk]));
          if (kind === 'pause' || kind === 'resume') acts.push(kind);
          chunk = Buffer.alloc(0);
        }
        return [...acts, chunk];
      }),
    );
}

describe('a splice', () => {
  for (const [who, direction] of Object.entries(directions))
    it(`does with whatever a ${who} sends what ws does alone`, async () => {
      let passed = 0;
      await fc.assert(
        fc.asyncProperty(actsOf(direction), async (acts) => {
          const alone = await relayed(acts, direction, false);
          const spliced = await relayed(acts, direction, true);
          passed += spliced.passed;
          expect({ ...spliced, passed: 0 }).to.deep.equal(alone);
        }),
        fuzz(150),
      );
      expect(passed).to.be.greaterThan(1000);
    });
});

/** What becomes of the acts of one side: what its peer gets and when, what it is answered, and how it ends. */
async function relayed(acts: readonly Act[], direction: Direction, spliced: boolean) {
  const [near, far] = [new Wire(), new Wire()];
  const [source, target] = direction.masked
    ? [await atServer(near, limits), await atClient(far, limits)]
    : [await atClient(near, limits), await atServer(far, limits)];
  const events: string[] = [];
  source.on('message', (data, binary) => target.send(data as Buffer, { binary }));
  source.on('error', (error: Error & { code?: string }) => events.push(String(error.code)));
  source.on('close', (code, reason) => events.push(`closed ${code} ${String(reason)}`));
  const splice = spliced ? spliceOf({ near, far, source, target }, direction) : undefined;
  const before = far.writtenBytes;
  for (const act of acts) {
    if (act === 'pause' || act === 'resume') source[act]();
    else if (!near.readableEnded && !near.destroyed) near.push(Buffer.from(act));
    // What arrives right after a resume comes before the stream flows again.
    if (act === 'resume') continue;
    await new Promise(setImmediate);
    events.push(`then ${far.writtenBytes - before}`);
  }
  source.resume();
  for (let n = 0; n < 3; n += 1) await new Promise(setImmediate);
  const { readyState } = source;
  const result = { got: told(far), answered: told(near), events: [...events], readyState };
  for (const socket of [source, target]) socket.terminate();
  return { ...result, passed: splice?.bytes ?? 0 };
}

type Ends = { near: Wire; far: Wire; source: WebSocket; target: WebSocket };

function spliceOf({ near, far, source, target }: Ends, { masked, rules }: Direction) {
  const { routeOf, routes, tally } = rules;
  const splice = new Splice<string>({
    ...{ socket: near, source, masked, maxBytes: limits.maxPayload, routeOf, tally },
    takeError: () => false,
    onOther: () => splice.reconsider(),
    passage: () =>
      target.readyState === target.OPEN ? { routes, target: far, maxWaiting: 1e6 } : undefined,
  });
  return splice;
}

function told(wire: Wire): string[] {
  return wire.frames().map(({ opcode, payload }) => `${opcode} ${payload.toString('hex')}`);
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const inside = cuts.filter((cut) => cut <= bytes.length);
  const edges = [0, ...inside, bytes.length].sort((a, b) => a - b);
  return edges.slice(1).map((end, n) => bytes.subarray(edges[n], end));
}
