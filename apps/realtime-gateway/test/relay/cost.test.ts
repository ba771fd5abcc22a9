import type { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Splice } from '#src/relay/splice.js';
import { frame } from '../support/raw-client.js';
import { atClient, atServer, Wire } from '../support/wire.js';
import { directions } from './directions.js';

const frames = 10_000;
/** The engine may compile in some of them; what a frame costs, it costs in all. */
const rounds = 5;
const limits = { maxPayload: 65_536 };

/** Takes what is written, and keeps nothing of it. */
class Sink {
  readonly writableLength = 0;
  writes = 0;

  write(): boolean {
    this.writes += 1;
    return true;
  }
}

describe('10,000 frames of audio', () => {
  let collectGarbage: () => void;
  before(() => {
    setFlagsFromString('--expose-gc');
    collectGarbage = runInNewContext('gc') as typeof collectGarbage;
  });

  for (const [who, { masked, type, rules }] of Object.entries(directions))
    it(`of a ${who} are written once each, unknown to ws, and leave nothing on the heap`, async () => {
      const near = new Wire();
      const source = await (masked ? atServer(near, limits) : atClient(near, limits));
      let parsed = 0;
      source.on('message', () => (parsed += 1));
      const sink = new Sink();
      const { routeOf, routes, tally } = rules;
      const passage = { routes, target: sink as unknown as Duplex, maxWaiting: 1e6 };
      const splice = new Splice<string>({
        ...{ socket: near, source, masked, maxBytes: limits.maxPayload, routeOf, tally },
        takeError: () => false,
        onOther: () => splice.reconsider(),
        passage: () => passage,
      });
      const chunk = frame(Buffer.from(`{"type":"${type}","audio":"${'A'.repeat(1280)}"}`), {
        masked,
      });
      const relay = (count: number) => {
        for (let n = 0; n < count; n += 1) near.push(chunk);
      };
      // Until the engine has compiled everything, it is the engine that allocates.
      relay(3 * frames);
      const bytesPerFrame = Array.from({ length: rounds }, () => {
        collectGarbage();
        const { heapUsed: before } = process.memoryUsage();
        relay(frames);
        return (process.memoryUsage().heapUsed - before) / frames;
      });
      source.terminate();
      expect({ writes: sink.writes, parsed }).to.deep.equal({
        writes: (3 + rounds) * frames,
        parsed: 0,
      });
      // A number that the engine boxes is no more than 24 bytes; any object is larger.
      expect(Math.min(...bytesPerFrame)).to.be.lessThan(32);
    });
});
